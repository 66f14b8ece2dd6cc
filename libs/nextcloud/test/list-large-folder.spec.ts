import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ROOT } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';

const ENTRIES = 20_000;
const BATCH = 100;
const SAMPLE_EVERY = 2_000;
const MB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use now, without what is only waiting to be collected. */
const heapInUse = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

const file = (index: number): string =>
  `<d:response><d:href>/remote.php/dav/files/alice/report%20${index}.txt</d:href><d:propstat><d:prop><d:getlastmodified>Mon, 30 Nov 2026 17:26:34 GMT</d:getlastmodified><d:getetag>&quot;${'0'.repeat(32)}&quot;</d:getetag><d:resourcetype/><oc:fileid>${index}</oc:fileid><oc:size>12</oc:size><oc:permissions>RGDNVW</oc:permissions><oc:owner-id>alice</oc:owner-id></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop>${'<nc:lock-owner-displayname/>'.repeat(12)}</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`;

/** About a kilobyte a file with what is asked for and what is missing: 20 MB in all, made as it is sent. */
async function* hugeListing(sample: () => void): AsyncGenerator<string> {
  yield '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">';
  yield '<d:response><d:href>/remote.php/dav/files/alice/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
  for (let index = 0; index < ENTRIES; index += BATCH) {
    if (index % SAMPLE_EVERY === 0) sample();
    yield await Promise.resolve(Array.from({ length: BATCH }, (_, more) => file(index + more)).join(''));
  }
  yield '</d:multistatus>';
}

it('lists the first page of 20 000 files in the memory of a page', async () => {
  const gateway = await new FakeGateway().start();
  const { files } = await clientOf(gateway);
  const before = heapInUse();
  let peak = before;
  const sample = () => (peak = Math.max(peak, heapInUse()));
  gateway.answer = () => ({ status: 207, body: hugeListing(sample) });
  const page = await files.list(ROOT, { limit: 50 });
  await gateway.stop();
  expect(page.total).toBe(ENTRIES);
  expect(page.entries).toHaveLength(50);
  expect(page.entries[49]?.name).toBe('report 49.txt');
  expect((peak - before) / MB).toBeLessThan(40);
}, 30_000);
