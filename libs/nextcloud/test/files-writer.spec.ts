import { GATEWAY_ERROR_HEADER, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { OutcomeUnknown } from '@nuqloud/platform';
import { FILES_ERRORS, FilesWriter, GATEWAY_ERRORS, parseFilePath } from '../src/index';
import type { FilePath } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';
import type { Reply } from './fake-gateway';

const at = (text: string): FilePath => {
  const parsed = parseFilePath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

let gateway: FakeGateway;
let writer: FilesWriter;
beforeEach(async () => {
  gateway = await new FakeGateway().start();
  const client = await clientOf(gateway);
  writer = new FilesWriter(client.gateway, client.files);
});
afterEach(() => gateway.stop());

const answers = (reply: Reply) => (gateway.answer = () => reply);
const PATH = at('/Docs/a b#ä.md');

describe('what is sent', () => {
  it('creates only where nothing is', async () => {
    answers({ status: 201, headers: { 'oc-etag': '"e2"', etag: '"e2-gzip"' } });
    expect(await writer.create(PATH, 'Grüße')).toEqual({ etag: '"e2"' });
    const [request] = gateway.asked;
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/remote.php/dav/files/alice/Docs/a%20b%23%C3%A4.md',
      body: 'Grüße',
    });
    expect(request?.headers).toMatchObject({ 'if-none-match': '*', 'content-length': '7' });
    expect(request?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('replaces and deletes only the revision it names', async () => {
    answers({ status: 204 });
    expect(await writer.replace(PATH, Buffer.from([0, 255]), '"e1"')).toEqual({ etag: null });
    await writer.remove(PATH, '"e1"');
    expect(gateway.asked.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['PUT', '"e1"'],
      ['DELETE', '"e1"'],
    ]);
  });

  it('deletes a folder without an ETag, which would never match', async () => {
    answers({ status: 204 });
    await writer.remove(at('/Docs'), null);
    expect(gateway.asked[0]?.headers).not.toHaveProperty('if-match');
  });

  it('makes one folder', async () => {
    answers({ status: 201 });
    await writer.makeFolder(at('/Docs'));
    expect(gateway.asked).toMatchObject([{ method: 'MKCOL', body: '' }]);
  });
});

const doing = {
  create: () => writer.create(PATH, 'x'),
  replace: () => writer.replace(PATH, 'x', '"e1"'),
  makeFolder: () => writer.makeFolder(PATH),
  remove: () => writer.remove(PATH, '"e1"'),
};

describe('what Nextcloud refuses is an error that says that nothing was changed', () => {
  it.each<[keyof typeof doing, number, string]>([
    ['create', 412, FILES_ERRORS.EXISTS],
    ['create', 404, FILES_ERRORS.NO_FOLDER],
    ['create', 409, FILES_ERRORS.NO_FOLDER],
    ['create', 403, FILES_ERRORS.FORBIDDEN],
    ['create', 507, FILES_ERRORS.NO_SPACE],
    ['create', 503, FILES_ERRORS.UNAVAILABLE],
    ['create', 400, FILES_ERRORS.UNEXPECTED_ANSWER],
    ['replace', 412, FILES_ERRORS.CHANGED],
    ['makeFolder', 405, FILES_ERRORS.EXISTS],
    ['makeFolder', 409, FILES_ERRORS.NO_FOLDER],
    ['remove', 412, FILES_ERRORS.CHANGED],
    ['remove', 404, FILES_ERRORS.NOT_FOUND],
    ['remove', 403, FILES_ERRORS.FORBIDDEN],
  ])('%s answered with %d', async (what, status, code) => {
    answers({ status });
    await expect(doing[what]()).rejects.toMatchObject({ code });
    await expect(doing[what]()).rejects.not.toBeInstanceOf(OutcomeUnknown);
  });

  it('and a short lock is waited for, a long one named', async () => {
    const statuses = [423, 204];
    gateway.answer = () => ({ status: statuses.shift() ?? 500 });
    await writer.remove(PATH, '"e1"');
    answers({ status: 423 });
    await expect(writer.remove(PATH, '"e1"')).rejects.toMatchObject({ code: FILES_ERRORS.LOCKED });
  });
});

describe('an outcome that nobody knows is told apart', () => {
  const refusal = (code: string): Reply => ({
    status: 504,
    headers: { [GATEWAY_ERROR_HEADER]: '1' },
    body: JSON.stringify({ v: 1, code, message: 'words of the gateway' }),
  });

  it.each<[string, Reply]>([
    ['the gateway says so', refusal(GATEWAY_REFUSALS.OUTCOME_UNKNOWN)],
    ['the gateway broke', refusal(GATEWAY_REFUSALS.INTERNAL)],
    [
      'the gateway’s own answer is no answer',
      { status: 502, headers: { [GATEWAY_ERROR_HEADER]: '1' }, body: 'x' },
    ],
    ['Nextcloud broke', { status: 500 }],
    ['a proxy lost it', { status: 502 }],
    ['a proxy waited too long', { status: 504 }],
  ])('when %s', async (_what, reply) => {
    answers(reply);
    for (const work of Object.values(doing)) {
      await expect(work()).rejects.toBeInstanceOf(OutcomeUnknown);
    }
  });

  it('when the connection to the gateway breaks off', async () => {
    const { gateway: client, files } = await clientOf(gateway);
    await client.resolve();
    const lost = new FilesWriter(client, files);
    gateway.dropUnanswered = true;
    await expect(lost.remove(PATH, null)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  it.each([
    GATEWAY_REFUSALS.UNREACHABLE,
    GATEWAY_REFUSALS.TIMEOUT,
    GATEWAY_REFUSALS.BACKING_OFF,
    GATEWAY_REFUSALS.NOT_ALLOWED,
    GATEWAY_REFUSALS.NOT_AUDITED,
    GATEWAY_REFUSALS.IDENTITY_MISMATCH,
  ])('but not from %s, which says that nothing was sent', async (code) => {
    answers(refusal(code));
    await expect(writer.create(PATH, 'x')).rejects.toMatchObject({ code });
    await expect(writer.create(PATH, 'x')).rejects.not.toBeInstanceOf(OutcomeUnknown);
  });

  it('nor where nobody listens, or where it is not even known who would act', async () => {
    const { gateway: client, files } = await clientOf(gateway);
    await client.resolve();
    await gateway.stop();
    const away = new FilesWriter(client, files);
    await expect(away.create(PATH, 'x')).rejects.toMatchObject({ code: GATEWAY_ERRORS.AWAY });
    await expect(away.create(PATH, 'x')).rejects.not.toBeInstanceOf(OutcomeUnknown);
    gateway = await new FakeGateway().start();
    gateway.resolve = () => refusal(GATEWAY_REFUSALS.INTERNAL);
    const client2 = await clientOf(gateway);
    const unknown = new FilesWriter(client2.gateway, client2.files);
    await expect(unknown.create(PATH, 'x')).rejects.not.toBeInstanceOf(OutcomeUnknown);
    expect(gateway.asked).toEqual([]);
  });
});
