import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FILES_ERRORS, FilesWriter, parseFilePath, SharesClient, TrashClient } from '../src/index';
import type { FilePage, FilePath } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';

interface RecordedExchange {
  readonly case: string;
  readonly note?: string;
  readonly user: string | null;
  readonly request: { method: string; path: string; headers: Record<string, string> };
  readonly response: { status: number; headers: Record<string, string>; body: string };
}

const FILES = '/remote.php/dav/files/';
/** The same exchanges that the emulator is compared with. */
const RECORDED = path.join(__dirname, '../../../apps/nextcloud-emulator/test/recorded');
const exchanges = ['files', 'writes', 'received-shares', 'share-lists'].flatMap((name) =>
  readFileSync(path.join(RECORDED, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedExchange),
);

let gateway: FakeGateway;
beforeAll(async () => {
  gateway = await new FakeGateway().start();
});
afterAll(() => gateway.stop());

/** What a client makes of an answer: what it read, or the code of its error. */
const outcome = async <T>(call: Promise<T>): Promise<T | string> =>
  call.catch((error: unknown) => (error as { code: string }).code);

const clientsFor = async ({ user, response }: RecordedExchange) => {
  gateway.identity = { v: 1, mode: 'user', profile: null, uid: user ?? 'alice' };
  // What was left out of a body is still counted in its recorded length.
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter(([name]) => name !== 'Content-Length'),
  );
  gateway.answer = () => ({ ...response, headers });
  const client = await clientOf(gateway);
  return {
    files: client.files,
    writer: new FilesWriter(client.gateway, { stat: () => Promise.reject(new Error('not asked again')) }),
    trash: new TrashClient(client.gateway),
    shares: new SharesClient(client.gateway),
  };
};

/** Our clients look into the acting person's own files only, and never ask whether something is still the same. */
const isOwn = ({ user, request, response }: RecordedExchange) =>
  response.status !== 304 &&
  (!request.path.startsWith(FILES) || request.path.startsWith(`${FILES}${user ?? 'alice'}`));

/** Of the exchanges, those of one kind. */
const casesOf = (
  method: string,
  tree: string,
  also: (exchange: RecordedExchange) => boolean = () => true,
) => {
  const found = exchanges.filter(
    (one) => one.request.method === method && one.request.path.startsWith(tree) && isOwn(one) && also(one),
  );
  if (found.length === 0) throw new Error(`nothing recorded of ${method} ${tree}`);
  return found.map((one, at) => [`${at + 1} ${one.case} ${one.note ?? ''}`, one] as const);
};

const depth = (wanted: string) => (one: RecordedExchange) => one.request.headers['Depth'] === wanted;
const pathOf = ({ request }: RecordedExchange): FilePath => {
  const rest = request.path.slice(FILES.length).replace(/^[^/]*/, '') || '/';
  const parsed = parseFilePath(rest.split('/').map(decodeURIComponent).join('/'));
  return parsed.ok ? parsed.path : ('/x' as FilePath);
};

/** Read from the recording by other means than ours. */
const hrefs = ({ response }: RecordedExchange): string[] =>
  [...response.body.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href = '']) => href);
/** Where the type was not asked for, nothing says folder. */
const saysFolder = ({ response }: RecordedExchange) => response.body.includes('<d:collection/>');
const nameOf = (href: string) => decodeURIComponent(href.replace(/\/$/, '').split('/').at(-1) ?? '');
const succeeded = ({ response }: RecordedExchange) => response.status < 300;

const CODES: Readonly<Record<number, string>> = {
  400: FILES_ERRORS.UNEXPECTED_ANSWER,
  401: FILES_ERRORS.NOT_SIGNED_IN,
  403: FILES_ERRORS.FORBIDDEN,
  404: FILES_ERRORS.NOT_FOUND,
  405: FILES_ERRORS.UNEXPECTED_ANSWER,
  409: FILES_ERRORS.NO_FOLDER,
  412: FILES_ERRORS.CHANGED,
  416: FILES_ERRORS.OUT_OF_RANGE,
  423: FILES_ERRORS.LOCKED,
  500: FILES_ERRORS.UNEXPECTED_ANSWER,
  501: FILES_ERRORS.UNEXPECTED_ANSWER,
};
const codeOf = ({ response }: RecordedExchange, own: Readonly<Record<number, string>> = {}) =>
  own[response.status] ?? CODES[response.status];

describe('our clients, given what a real Nextcloud 24.0.5 answered', () => {
  it.each(casesOf('PROPFIND', FILES, depth('0')))('look at one: %s', async (_, one) => {
    const { files } = await clientsFor(one);
    const entry = await outcome(files.stat(pathOf(one)));
    if (!succeeded(one)) return expect(entry).toBe(codeOf(one));
    return expect(entry).toMatchObject({ path: pathOf(one), kind: saysFolder(one) ? 'folder' : 'file' });
  });

  it.each(casesOf('PROPFIND', FILES, depth('1')))('list a folder: %s', async (_, one) => {
    const { files } = await clientsFor(one);
    const page = await outcome(files.list(pathOf(one), { limit: 1_000 }));
    if (!succeeded(one)) return expect(page).toBe(codeOf(one));
    const [, ...entries] = hrefs(one);
    const read = (page as FilePage).entries.map((entry) => entry.path.split('/').at(-1));
    return expect([...read].sort()).toEqual(entries.map(nameOf).sort());
  });

  it.each(casesOf('GET', FILES))('read a file: %s', async (_, one) => {
    const { files } = await clientsFor(one);
    const range =
      one.response.status === 206 || one.response.status === 416 ? { start: 0, length: 5 } : undefined;
    const content = await outcome(files.read(pathOf(one), range ? { range } : {}));
    if (!succeeded(one)) return expect(content).toBe(codeOf(one));
    return expect(content).toMatchObject({ etag: one.response.headers['ETag'] ?? null });
  });

  it.each(casesOf('PUT', FILES))('write a file: %s', async (_, one) => {
    const { writer } = await clientsFor(one);
    const etag = one.request.headers['If-Match'];
    const written = etag ? writer.replace(pathOf(one), 'x', etag) : writer.create(pathOf(one), 'x');
    const noFolder = { 404: FILES_ERRORS.NO_FOLDER, ...(etag ? {} : { 412: FILES_ERRORS.EXISTS }) };
    const expected = succeeded(one) ? { etag: one.response.headers['OC-ETag'] } : codeOf(one, noFolder);
    expect(await outcome(written)).toEqual(expected);
  });

  it.each(casesOf('MKCOL', FILES))('make a folder: %s', async (_, one) => {
    const { writer } = await clientsFor(one);
    const exists = { 405: FILES_ERRORS.EXISTS };
    expect(await outcome(writer.makeFolder(pathOf(one)))).toBe(
      succeeded(one) ? undefined : codeOf(one, exists),
    );
  });

  it.each(casesOf('DELETE', FILES))('delete: %s', async (_, one) => {
    const { writer } = await clientsFor(one);
    const removed = writer.remove(pathOf(one), one.request.headers['If-Match'] ?? null);
    expect(await outcome(removed)).toBe(succeeded(one) ? undefined : codeOf(one));
  });

  it.each(casesOf('PROPFIND', '/remote.php/dav/trashbin/'))('list the trash: %s', async (_, one) => {
    const { trash } = await clientsFor(one);
    const ids: string[] = [];
    for await (const { id } of trash.items()) ids.push(id);
    expect(ids).toEqual(hrefs(one).slice(1).map(nameOf));
  });

  it.each(casesOf('MOVE', '/remote.php/dav/trashbin/'))('restore from the trash: %s', async (_, one) => {
    const { trash } = await clientsFor(one);
    expect(await outcome(trash.restore('f.txt.d1'))).toBe(succeeded(one) ? undefined : codeOf(one));
  });

  it.each(casesOf('GET', '/ocs/v2.php/apps/files_sharing/api/v1/shares?'))(
    'list shares: %s',
    async (_, one) => {
      const { shares } = await clientsFor(one);
      const found = await outcome(shares.of('/s/x.txt' as FilePath));
      if (!succeeded(one)) return expect(found).toMatch(/^FILES\./);
      const { data } = (JSON.parse(one.response.body) as { ocs: { data: { permissions: number }[] } }).ocs;
      return expect((found as { canWrite: boolean }[]).map(({ canWrite }) => canWrite)).toEqual(
        data.map(({ permissions }) => (permissions & 6) !== 0),
      );
    },
  );
});
