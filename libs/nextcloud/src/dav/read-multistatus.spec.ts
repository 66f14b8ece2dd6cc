import fc from 'fast-check';
import { isAppError } from '@nuqloud/platform';
import { clark } from './dav-names';
import type { DavResponse } from './dav-response';
import { DAV_ERRORS, readMultistatus } from './read-multistatus';

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';

const LISTING = `<?xml version="1.0"?>
<d:multistatus ${NAMESPACES}><d:response><d:href>/remote.php/dav/files/alice/%c3%9c/</d:href><d:propstat><d:prop><d:getetag>&quot;6b0&quot;</d:getetag><d:resourcetype><d:collection/></d:resourcetype><oc:share-types><oc:share-type>0</oc:share-type><oc:share-type>3</oc:share-type></oc:share-types><nc:note></nc:note><x1:share-permissions xmlns:x1="http://open-collaboration-services.org/ns">31</x1:share-permissions></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><nc:lock/><oc:checksums/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response><d:response><d:href>/remote.php/dav/files/alice/Ü &amp; x</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response></d:multistatus>`;

async function* inPieces(text: string, ...sizes: number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'utf8');
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? bytes.length);
    yield bytes.subarray(at, at + size);
    at += size;
    await Promise.resolve();
  }
}

const readAll = async (chunks: AsyncIterable<Uint8Array>): Promise<DavResponse[]> => {
  const all: DavResponse[] = [];
  for await (const response of readMultistatus(chunks)) all.push(response);
  return all;
};

const failureOf = async (text: string): Promise<unknown> =>
  readAll(inPieces(text, 64 * 1024)).then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('reading a multistatus', () => {
  it('takes properties from the 200 part only, and tells empty from absent', async () => {
    const [folder] = await readAll(inPieces(LISTING));
    expect(folder?.href).toBe('/remote.php/dav/files/alice/%c3%9c/');
    expect(folder?.properties.get(clark('d:getetag'))?.text).toBe('"6b0"');
    expect(folder?.properties.get(clark('nc:note'))?.text).toBe('');
    expect(folder?.properties.has(clark('nc:lock'))).toBe(false);
    expect(folder?.properties.get('{http://open-collaboration-services.org/ns}share-permissions')?.text).toBe(
      '31',
    );
  });

  it('keeps the elements inside a property with their namespaces', async () => {
    const [folder] = await readAll(inPieces(LISTING));
    expect(folder?.properties.get(clark('d:resourcetype'))?.elements).toEqual([
      { name: clark('d:collection'), text: '' },
    ]);
    expect(folder?.properties.get(clark('oc:share-types'))?.elements.map(({ text }) => text)).toEqual([
      '0',
      '3',
    ]);
  });

  it('reads the status of a resource that has no properties', async () => {
    const [, second] = await readAll(inPieces(LISTING));
    expect(second).toMatchObject({ status: 403, href: '/remote.php/dav/files/alice/Ü & x' });
    expect(second?.properties.size).toBe(0);
  });

  it('does not care about prefixes', async () => {
    const other = LISTING.replaceAll('d:', 'D:').replace('xmlns:d=', 'xmlns:D=');
    expect(await readAll(inPieces(other))).toEqual(await readAll(inPieces(LISTING)));
  });

  it('reads the same wherever the bytes are cut', async () => {
    const whole = await readAll(inPieces(LISTING));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (sizes) => {
        expect(await readAll(inPieces(LISTING, ...sizes))).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('reads an empty result', async () => {
    expect(await readAll(inPieces(`<d:multistatus ${NAMESPACES}/>`))).toEqual([]);
  });

  const nested = (levels: number): string =>
    `<d:multistatus ${NAMESPACES}>${'<d:x>'.repeat(levels)}${'</d:x>'.repeat(levels)}</d:multistatus>`;
  const withText = (text: string): string =>
    `<d:multistatus ${NAMESPACES}><d:response><d:href>${text}</d:href></d:response></d:multistatus>`;

  it.each([
    ['a document type', `<!DOCTYPE d:multistatus><d:multistatus ${NAMESPACES}/>`],
    ['entities that grow', `<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>${withText('&c;')}`],
    ['an entity nobody declared', withText('&secret;')],
    ['deep nesting', nested(10_000)],
    ['a value without end', withText('x'.repeat(2_000_000))],
    ['an attribute without end', `<d:multistatus ${NAMESPACES} a="${'x'.repeat(2_000_000)}"/>`],
    ['a comment without end', `<d:multistatus ${NAMESPACES}><!--${'x'.repeat(2_000_000)}--></d:multistatus>`],
    [
      'too many properties of one resource',
      withText('/x').replace(
        '</d:response>',
        `<d:propstat><d:prop>${'<d:a>some text</d:a>'.repeat(50_000)}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
      ),
    ],
    ['a cut answer', LISTING.slice(0, LISTING.length / 2)],
    ['an unclosed document', LISTING.slice(0, -3)],
    ['another document', '<d:error xmlns:d="DAV:"/>'],
    ['a page of HTML', '<!doctype html><html><body>Login</body></html>'],
    ['JSON', '{"ocs":{}}'],
    ['nothing', ''],
    ['an undeclared prefix', '<d:multistatus/>'],
  ])('refuses %s with a typed error', async (_what, text) => {
    expect(isAppError(await failureOf(text), DAV_ERRORS.UNREADABLE)).toBe(true);
  });

  it('refuses what is not UTF-8', async () => {
    const latin1 = Buffer.from(withText('\u00e4'), 'latin1');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(latin1);
    }
    await expect(readAll(chunks())).rejects.toMatchObject({ code: DAV_ERRORS.UNREADABLE });
  });

  it('never fails otherwise, whatever comes', async () => {
    const scrap = fc.constantFrom(
      '<d:response>',
      '</d:response>',
      '<d:href>',
      '<',
      '>',
      '&',
      ']]>',
      '<![CDATA[',
      '\u0000',
      'x',
      '<d:prop/>',
      '<!DOCTYPE',
      '<?',
      '"',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(scrap, { maxLength: 30 }), async (scraps) => {
        const failure = await failureOf(`<d:multistatus ${NAMESPACES}>${scraps.join('')}`);
        expect(isAppError(failure, DAV_ERRORS.UNREADABLE)).toBe(true);
      }),
    );
  });

  it('stops the transfer when nobody reads on', async () => {
    let stopped = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(`<d:multistatus ${NAMESPACES}>`);
        for (;;) yield await Promise.resolve(Buffer.from('<d:response><d:href>/x</d:href></d:response>'));
      } finally {
        stopped = true;
      }
    }
    for await (const response of readMultistatus(endless())) if (response.href === '/x') break;
    expect(stopped).toBe(true);
  });
});
