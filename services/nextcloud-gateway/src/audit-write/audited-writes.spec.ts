import { Readable, Writable } from 'node:stream';
import { AuditRecordBody, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { createLogger } from '@nuqloud/platform';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { AuditLog } from '../ports/audit-log';
import { AuditedWrites } from './audited-writes';
import type { Write } from './audited-writes';

const WRITE: Write = {
  identity: {
    mode: 'user',
    profile: null,
    uid: 'alice',
    attested: {
      ...{
        iss: 'talk-ingress',
        aud: 'nuqloud-services',
        sub: 'users/alice',
        instance: 'default',
        bot: 'nuq',
      },
      ...{
        room: 'x7k2m9pq',
        message: '1567',
        kind: 'message',
        textHash: 'a'.repeat(64),
        at: 1,
        iat: 1,
        exp: 2,
      },
    },
  },
  caller: 'tool-files',
  tool: 'files_move',
  method: 'MOVE',
  path: '/remote.php/dav/files/alice/a.txt',
  destination: '/remote.php/dav/files/alice/b.txt',
};
const ABOUT = {
  ...{ v: 1, at: '2027-01-15T08:00:00.000Z', service: 'nextcloud-gateway', instance: 'default', bot: 'nuq' },
  ...{ room: 'x7k2m9pq', message: '1567', person: 'users/alice' },
};
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** What happened, in order; `fails` names the appends that fail. */
const setUp = (...fails: number[]) => {
  const happened: unknown[] = [];
  const logged: string[] = [];
  let appends = 0;
  class Recorder extends AuditLog {
    override append(record: AuditRecordBody): Promise<void> {
      if (fails.includes(++appends)) return Promise.reject(new Error('canary'));
      happened.push(AuditRecordBody.parse(record));
      return Promise.resolve();
    }
  }
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(chunk.toString());
      done();
    },
  });
  let ids = 0;
  const logger = createLogger({ service: 'test', level: 'trace' }, sink);
  const writes = new AuditedWrites(
    new Recorder(),
    logger,
    () => idOf(++ids),
    () => 1_800_000_000_000,
  );
  const answer = { status: 201, headers: {}, body: new Readable() };
  const send = () => {
    happened.push('sent');
    return Promise.resolve(answer);
  };
  return { writes, happened, logged, send, answer };
};

describe('AuditedWrites', () => {
  it('records what is about to be done, does it, and records what came of it', async () => {
    const { writes, happened, send, answer } = setUp();
    expect(await writes.carryOut(WRITE, send)).toBe(answer);
    const { caller, tool, method, path, destination } = WRITE;
    expect(happened).toEqual([
      {
        ...ABOUT,
        ...{ kind: 'nextcloud.write', id: idOf(1), mode: 'user', profile: null, uid: 'alice' },
        ...{ caller, tool, method, path, destination },
      },
      'sent',
      { ...ABOUT, kind: 'nextcloud.written', id: idOf(2), attempt: idOf(1), status: 201 },
    ]);
  });

  it('sends nothing that it could not record', async () => {
    const { writes, happened, send } = setUp(1);
    await expect(writes.carryOut(WRITE, send)).rejects.toMatchObject({
      ...{ code: GATEWAY_REFUSALS.NOT_AUDITED, status: 503, retryable: true },
      message: expect.stringContaining('Nothing was changed'),
    });
    expect(happened).toEqual([]);
  });

  it('answers also when it cannot record what came of it, and says so in the log', async () => {
    const { writes, happened, send, answer, logged } = setUp(2);
    expect(await writes.carryOut(WRITE, send)).toBe(answer);
    expect(happened).toHaveLength(2);
    expect(JSON.parse(logged.join(''))).toMatchObject({
      ...{ event: 'gateway.outcome-not-audited', attempt: idOf(1), status: 201 },
    });
    expect(logged.join('')).not.toMatch(/canary|a\.txt/);
  });

  it.each([
    ['of an unknown outcome', new GatewayRefusal(GATEWAY_REFUSALS.OUTCOME_UNKNOWN, ''), null],
    [
      'of a refused login',
      new GatewayRefusal(GATEWAY_REFUSALS.CREDENTIALS_REFUSED, '', { nextcloudStatus: 401 }),
      401,
    ],
    ['of an error of our own', new Error('oops'), null],
  ])('records the status %s', async (_what, error, status) => {
    const { writes, happened } = setUp();
    await expect(writes.carryOut(WRITE, () => Promise.reject(error))).rejects.toBe(error);
    expect(happened.at(-1)).toMatchObject({ kind: 'nextcloud.written', attempt: idOf(1), status });
  });
});
