import { BUS_ACCESS, CollectToolProviders } from '@nuqloud/contracts';
import { TokenSigner } from '@nuqloud/platform';
import { eventually, signAttestation } from '@nuqloud/testing';
import { FILES_TOOLS } from '@nuqloud/tool-files';
import type { Msg } from 'nats';
import { FilesBed } from './files-bed';

jest.setTimeout(60_000);

let bed: FilesBed;
let gatewayUrl: string;
beforeAll(async () => {
  bed = await FilesBed.start({
    users: [{ id: 'alice', displayName: 'Alice Adams' }],
    files: { alice: { '/plan.md': 'the plan' } },
  });
  gatewayUrl = (await bed.startGateway()).url;
});
afterAll(() => bed.close());

/** The names of the tools that answer now. */
const offered = async (): Promise<string[]> => {
  const { answers } = await bed.agent.collect(
    CollectToolProviders,
    {},
    { v: 1, instance: { id: 'default', nextcloudMajor: 32, apps: [] } },
    { expected: new Set(['files']), identify: ({ provider }) => provider, graceMs: 50, maxWaitMs: 500 },
  );
  return (answers.get('files')?.tools ?? []).map((tool) => (tool as { name: string }).name);
};

const codeFor = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: { code?: unknown }) => error.code,
  );

describe('the service tool-files', () => {
  it('tells when it comes, and when it goes after it has taken itself away', async () => {
    const offeredAtNews: Promise<string[]>[] = [];
    const news = bed.agent.connection.subscribe('tools.changed.*', {
      callback: () => void offeredAtNews.push(offered()),
    });
    await bed.agent.connection.flush();
    const service = await bed.startToolFiles(gatewayUrl);
    await eventually(() => offeredAtNews.length === 1, { describe: 'the news of the start' });
    expect(await offeredAtNews[0]).toEqual(FILES_TOOLS.map(({ definition }) => definition.name));
    await bed.stop(service);
    await eventually(() => offeredAtNews.length === 2, { describe: 'the news of the stop' });
    expect(await offeredAtNews[1]).toEqual([]);
    news.unsubscribe();
  });

  it('finishes the call in hand before it stops', async () => {
    const service = await bed.startToolFiles(gatewayUrl);
    await delayNextcloud(300);
    const answer = bed.answer('files_read', { path: '/plan.md' });
    await eventually(async () => (await asked()) > 0, { describe: 'the request in Nextcloud' });
    await bed.stop(service);
    expect(await answer).toContain('the plan');
    expect(await codeFor(bed.execute('files_list', { path: '/' }))).toBe('BUS.NO_RESPONDERS');
  });

  describe('while it runs', () => {
    beforeAll(() => bed.startToolFiles(gatewayUrl));

    it('refuses an attestation that ingress did not sign', async () => {
      const agent = new TokenSigner('talk-ingress', (await bed.stores.keysOf('agent')).signing);
      const attestation = await signAttestation(agent);
      const refused = bed.execute('files_list', { path: '/' }, { request: { attestation } });
      expect(await codeFor(refused)).toBe('TOOL.ATTESTATION_INVALID');
    });

    it('refuses the attestation of another text, place, kind or actor', async () => {
      const code = (asking: Parameters<FilesBed['execute']>[2]) =>
        codeFor(bed.execute('files_list', { path: '/' }, asking));
      expect(await code({ claims: { textHash: '0'.repeat(64) } })).toBe('TOOL.ATTESTATION_OTHER_TEXT');
      expect(await code({ claims: { room: 'another1' } })).toBe('TOOL.ATTESTATION_OTHER_CONTEXT');
      expect(await code({ claims: { kind: 'reaction_added' } })).toBe('TOOL.ATTESTATION_NOT_WRITTEN');
      expect(await code({ claims: { sub: 'guests/alice' } })).toBe('TOOL.ATTESTATION_NO_LOCAL_USER');
      expect(await code({ claims: { iat: 1, exp: 2 } })).toBe('TOOL.ATTESTATION_INVALID');
    });

    it('refuses a tool it does not have', async () => {
      expect(await codeFor(bed.execute('files_erase', {}))).toBe('TOOL.UNKNOWN');
    });

    it('says which argument is wrong', async () => {
      expect(await bed.failure('files_list', { path: 'Docs', limit: 1 })).toBe(
        'files_list was not run: `path` must start with "/", for example "/Docs/plan.md".',
      );
    });

    it('says what the gateway says', async () => {
      expect(
        await bed.failure(
          'files_list',
          { path: '/' },
          { claims: { bot: 'nobody' }, request: contextOf('nobody') },
        ),
      ).toContain('has not been given files_list');
      expect(await bed.failure('files_list', { path: '/' }, { uid: 'stranger' })).not.toContain(
        'error of its own',
      );
    });

    it('survives whatever is sent to it', async () => {
      const { connection } = bed.agent;
      const rubbish = [
        '',
        'x',
        '{',
        'null',
        '[]',
        '{"v":1}',
        '\u0000',
        `{"v":1,"tool":"${'x'.repeat(900_000)}"}`,
      ];
      for (const body of rubbish) {
        const reply: Msg = await connection.request('tools.exec.files', new TextEncoder().encode(body), {
          timeout: 2_000,
        });
        expect(reply.headers?.get('Nats-Service-Error')).toMatch(/^BUS\./);
      }
      const invalidUtf8 = await connection.request('tools.exec.files', new Uint8Array([0xff, 0xfe]), {
        timeout: 2_000,
      });
      expect(invalidUtf8.headers?.get('Nats-Service-Error')).toBe('BUS.INVALID_REQUEST');
      expect(await bed.answer('files_read', { path: '/plan.md' })).toContain('the plan');
    });

    it('may publish nothing but its own news and claims', () => {
      expect(BUS_ACCESS['tool-files'].sends.map(({ subject }) => subject)).toEqual([
        'tools.changed.{provider}',
        'confirm.claim',
      ]);
    });

    it('shares the calls with another replica, either of which may go', async () => {
      const other = await bed.startToolFiles(gatewayUrl);
      await Promise.all(Array.from({ length: 10 }, () => bed.answer('files_read', { path: '/plan.md' })));
      await bed.stop(other);
      expect(await bed.answer('files_read', { path: '/plan.md' })).toContain('the plan');
      expect(await offered()).toHaveLength(FILES_TOOLS.length);
    });
  });

  it('says that the gateway is away', async () => {
    const lonely = await FilesBed.start({ users: [{ id: 'alice' }], files: { alice: { '/x': 'y' } } });
    await lonely.startToolFiles('http://127.0.0.1:9');
    expect(await lonely.failure('files_list', { path: '/' })).toBe(
      'The gateway to Nextcloud cannot be reached at the moment; try again shortly.',
    );
    await lonely.close();
  });
});

const contextOf = (bot: string) => ({
  context: {
    instance: 'default',
    bot,
    room: 'x7k2m9pq',
    messageId: '1567',
    attachments: [],
    language: 'en',
    zone: null,
  },
});

const control = async (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${new URL(bed.emulator.url).origin}/_emulator/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const delayNextcloud = async (delayMs: number): Promise<void> => {
  const response = await control('POST', 'faults', {
    match: { method: 'GET', path: '/remote.php/dav/files/alice/plan.md' },
    delayMs,
    times: 1,
  });
  expect(response.ok).toBe(true);
};

/** Reads of the file that have reached Nextcloud, answered or not. */
const asked = async (): Promise<number> => {
  const { requests } = (await (await control('GET', 'requests?after=0')).json()) as {
    requests: { path: string }[];
  };
  return requests.filter(({ path }) => path.includes('plan.md')).length;
};
