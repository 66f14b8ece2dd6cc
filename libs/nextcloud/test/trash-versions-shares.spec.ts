import {
  FILES_ERRORS,
  ServerClient,
  SharesClient,
  TrashClient,
  VersionsClient,
  parseFilePath,
} from '../src/index';
import type { FilePath, GatewayClient, TrashItem } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';
import type { Reply } from './fake-gateway';
import { recorded } from './recorded';

const at = (text: string): FilePath => {
  const parsed = parseFilePath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

let gateway: FakeGateway;
let client: GatewayClient;
beforeEach(async () => {
  gateway = await new FakeGateway().start();
  ({ gateway: client } = await clientOf(gateway));
});
afterEach(() => gateway.stop());

const answers = (reply: Reply) => (gateway.answer = () => reply);
const all = async (): Promise<TrashItem[]> => {
  const items: TrashItem[] = [];
  for await (const item of new TrashClient(client).items()) items.push(item);
  return items;
};
const multistatus = (...responses: string[]): Reply => ({
  status: 207,
  body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">${responses.join('')}</d:multistatus>`,
});
const resource = (href: string, props: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const TRASH = '/cloud/remote.php/dav/trashbin/alice/trash/';

describe('the trash', () => {
  it('as a real server lists it, without the trash itself', async () => {
    answers(recorded('trash'));
    expect((await all()).map(({ id, kind }) => [id, kind])).toEqual([
      ['f.txt.d1796060311', 'file'],
      ['put.txt.d1796060187', 'file'],
      ['weg.md.d1796059743', 'file'],
      ['im.txt.d1796059598', 'file'],
    ]);
    expect(gateway.asked[0]).toMatchObject({ path: '/remote.php/dav/trashbin/alice/trash/' });
    expect(gateway.asked[0]?.body).toContain('trashbin-original-location');
  });

  it('tells where something was, what it is and when it went', async () => {
    answers(
      multistatus(
        resource(TRASH, '<d:resourcetype><d:collection/></d:resourcetype>'),
        resource(
          `${TRASH}%c3%9cbung%20%2b.d1796060311/`,
          '<d:resourcetype><d:collection/></d:resourcetype><oc:fileid>7</oc:fileid><oc:size>12</oc:size><nc:trashbin-original-location>Docs/Übung +</nc:trashbin-original-location><nc:trashbin-deletion-time>1796060311</nc:trashbin-deletion-time><nc:trashbin-deleted-by-id>bob</nc:trashbin-deleted-by-id>',
        ),
        resource(
          `${TRASH}odd.d1`,
          '<d:resourcetype/><nc:trashbin-original-location>../odd</nc:trashbin-original-location>',
        ),
      ),
    );
    expect(await all()).toEqual([
      {
        id: 'Übung +.d1796060311',
        from: '/Docs/Übung +',
        kind: 'folder',
        fileId: '7',
        size: 12,
        deletedAt: new Date(1_796_060_311_000),
        deletedBy: 'bob',
      },
      { id: 'odd.d1', from: null, kind: 'file', fileId: null, size: null, deletedAt: null, deletedBy: null },
    ]);
  });

  it('gives back by a MOVE that overwrites nothing and says so to nobody', async () => {
    answers({ status: 201 });
    await new TrashClient(client).restore('Übung +.d1');
    const [request] = gateway.asked;
    expect(request).toMatchObject({
      method: 'MOVE',
      path: '/remote.php/dav/trashbin/alice/trash/%C3%9Cbung%20%2B.d1',
    });
    expect(request?.headers['destination']).toBe(
      '/remote.php/dav/trashbin/alice/restore/%C3%9Cbung%20%2B.d1',
    );
    expect(request?.headers).not.toHaveProperty('overwrite');
  });

  it.each([
    [404, FILES_ERRORS.NOT_FOUND],
    [403, FILES_ERRORS.FORBIDDEN],
    [507, FILES_ERRORS.NO_SPACE],
  ])('says what is wrong when it is answered with %d', async (status, code) => {
    answers({ status });
    await expect(new TrashClient(client).restore('x.d1')).rejects.toMatchObject({ code });
  });

  it('says what it does not have', async () => {
    answers({ status: 404 });
    await expect(new TrashClient(client).find('x.d1')).rejects.toMatchObject({
      code: FILES_ERRORS.NOT_FOUND,
      message: 'Nothing in the trash has the id "x.d1"; files_trash lists it.',
    });
  });
});

describe('versions', () => {
  const base = '/remote.php/dav/versions/alice/versions/71/';

  it('come the latest first, without the folder they are in', async () => {
    const version = (id: string, size: number) =>
      resource(
        base + id,
        `<d:getlastmodified>Mon, 30 Nov 2026 17:38:31 GMT</d:getlastmodified><d:getcontentlength>${size}</d:getcontentlength>`,
      );
    answers(multistatus(resource(base, ''), version('1796059000', 3), version('1796060000', 5)));
    expect(await new VersionsClient(client).list('71', '/a')).toEqual([
      { id: '1796060000', at: new Date('2026-11-30T17:38:31Z'), size: 5 },
      { id: '1796059000', at: new Date('2026-11-30T17:38:31Z'), size: 3 },
    ]);
  });

  it('are brought back by a MOVE to the one place for it', async () => {
    answers({ status: 201 });
    await new VersionsClient(client).restore('71', '1796059000', '/a');
    expect(gateway.asked[0]).toMatchObject({ method: 'MOVE', path: `${base}1796059000` });
    expect(gateway.asked[0]?.headers['destination']).toBe('/remote.php/dav/versions/alice/restore/target');
  });
});

describe('shares', () => {
  it('are read without the password that Nextcloud hands out with a link', async () => {
    // The hash of the password was taken out of the recording, and with it the length is another.
    answers({ ...recorded('shares-of-a-link'), headers: {} });
    const shares = await new SharesClient(client).of(at("/s/it's a link.txt"));
    expect(shares).toEqual(Array(3).fill({ kind: 'link', with: '', name: '', canWrite: false }));
    expect(gateway.asked[0]?.path).toMatch(
      /\/shares\?path=%2Fs%2Fit(%27|')s%20a%20link\.txt&reshares=true&format=json$/,
    );
    expect(gateway.asked[0]?.headers).toMatchObject({ 'ocs-apirequest': 'true' });
  });

  it.each<[number, boolean]>([
    [1, false],
    [17, false],
    [3, true],
    [5, true],
    [31, true],
  ])('with the permissions %d let others write: %s', async (permissions, canWrite) => {
    const share = { share_type: 0, share_with: 'bob', share_with_displayname: 'Bob', permissions };
    answers({ status: 200, body: JSON.stringify({ ocs: { data: [share] } }) });
    expect(await new SharesClient(client).of(at('/a'))).toEqual([
      { kind: 'user', with: 'bob', name: 'Bob', canWrite },
    ]);
  });

  it.each<[string, Reply]>([
    ['refuses', recorded('shares-of-nothing')],
    ['answers with a page', { status: 200, body: '<html>' }],
    ['answers something else', { status: 200, body: '{"ocs":{"data":{"a":1}}}' }],
  ])('are never taken for none where Nextcloud %s', async (_what, reply) => {
    answers(reply);
    await expect(new SharesClient(client).of(at('/a'))).rejects.toMatchObject({
      code: FILES_ERRORS.UNAVAILABLE,
    });
  });
});

describe('what Nextcloud keeps', () => {
  const capabilities = (files: object): Reply => ({
    status: 200,
    body: JSON.stringify({ ocs: { data: { version: {}, capabilities: { files } } } }),
  });

  it.each<[Reply, boolean, boolean]>([
    [capabilities({ undelete: true, versioning: true }), true, true],
    [capabilities({ undelete: true }), true, false],
    [capabilities({}), false, false],
    [{ status: 503 }, false, false],
    [{ status: 200, body: 'x' }, false, false],
  ])('is nothing where it does not say so: %#', async (reply, trash, versions) => {
    answers(reply);
    expect(await new ServerClient(client).keeping()).toEqual({ trash, versions });
  });
});
