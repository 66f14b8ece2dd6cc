import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SpooledEvent } from '@nuqloud/contracts';
import type { AppError } from '@nuqloud/platform';
import { createLogger, RowSecrets } from '@nuqloud/platform';
import { SPOOL_ERRORS } from '../ports/spool';
import { FileSpool } from './file-spool';

const secrets = new RowSecrets(randomBytes(32).toString('base64'), 'spool');
const logger = createLogger({ service: 'talk-ingress', level: 'silent' });

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'nuqloud-spool-')), 'deep', 'spool');
});
afterEach(() => rm(path.dirname(path.dirname(folder)), { recursive: true, force: true }));

const open = (maxBytes?: number, sealing = secrets) => FileSpool.open(folder, sealing, logger, maxBytes);

const entry = (n: number): SpooledEvent => ({
  v: 1,
  messageId: `default:nuq:x7k2m9pq:message:${n}`,
  event: {
    v: 1,
    instance: 'default',
    bot: 'nuq',
    room: 'x7k2m9pq',
    roomName: 'Team',
    receivedAt: '2026-03-02T09:15:00.000Z',
    kind: 'message',
    actor: { type: 'users', id: 'alice', name: 'Alice', moderator: false },
    messageId: String(n),
    text: `canary ${n}`,
    mentions: [],
    attestation: 'canary-attestation',
  },
});

const files = async () => (await readdir(folder)).filter((name) => name !== 'set-aside').sort();
const takeAll = async (spool: FileSpool): Promise<string[]> => {
  const ids: string[] = [];
  for (let next = await spool.oldest(); next; next = await spool.oldest()) {
    ids.push(next.messageId.split(':').at(-1) ?? '');
    await spool.remove(next.name);
  }
  return ids;
};

describe('the spool', () => {
  it('gives back what it was given, in order, also to the process after it', async () => {
    const spool = await open();
    await Promise.all([1, 2, 3].map((n) => spool.keep(entry(n))));
    expect(spool.size).toBe(3);
    expect(await spool.oldest()).toEqual({ ...entry(1), name: (await files())[0] });

    const next = await open();
    await next.keep(entry(4));
    expect(await takeAll(next)).toEqual(['1', '2', '3', '4']);
    expect([next.size, await files()]).toEqual([0, []]);
  });

  it('lets its owner alone read its files, and nobody without the key', async () => {
    const spool = await open();
    await spool.keep(entry(1));
    const [name = ''] = await files();
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(path.join(folder, name), 'utf8')).not.toContain('canary');
  });

  it.each<[string, (file: string) => Promise<void>, string]>([
    [
      'cut',
      async (file) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -5)),
      'SECRETS.UNREADABLE',
    ],
    ['emptied', (file) => writeFile(file, ''), 'SECRETS.UNREADABLE'],
    ['written by somebody else', (file) => writeFile(file, JSON.stringify(entry(9))), 'SECRETS.UNREADABLE'],
    [
      'of a format that is not known',
      (file) => writeFile(file, secrets.seal(path.basename(file), '{"v":2}')),
      SPOOL_ERRORS.UNREADABLE,
    ],
    [
      'no file',
      async (file) => (await rm(file), void (await FileSpool.open(file, secrets, logger))),
      SPOOL_ERRORS.UNREADABLE,
    ],
  ])(
    'sets a file aside that was %s, with the reason, and goes on with the next',
    async (_how, damage, code) => {
      const spool = await open();
      for (const n of [1, 2]) await spool.keep(entry(n));
      const [name = ''] = await files();
      await damage(path.join(folder, name));
      expect((await spool.oldest())?.messageId).toBe(entry(2).messageId);
      expect(await readdir(path.join(folder, 'set-aside'))).toEqual([name, `${name}.reason`]);
      expect(await readFile(path.join(folder, 'set-aside', `${name}.reason`), 'utf8')).toMatch(
        new RegExp(`^${code}: `),
      );
      expect([spool.size, await takeAll(await open())]).toEqual([1, ['2']]);
    },
  );

  it('does not take a file under another name, so that nobody can change the order', async () => {
    const spool = await open();
    for (const n of [1, 2]) await spool.keep(entry(n));
    const [first = '', second = ''] = await files();
    await rename(path.join(folder, first), path.join(folder, second.replace(/^0/, '9')));
    expect(await takeAll(await open())).toEqual(['2']);
    expect(await readdir(path.join(folder, 'set-aside'))).toHaveLength(2);
  });

  it('publishes a file that was whole when its process died, and sets one aside that was not', async () => {
    const spool = await open();
    for (const n of [1, 2]) await spool.keep(entry(n));
    for (const name of await files())
      await rename(path.join(folder, name), path.join(folder, `${name}.part`));
    const [half = ''] = await files();
    await writeFile(path.join(folder, half), (await readFile(path.join(folder, half), 'utf8')).slice(0, 40));
    expect(await takeAll(await open())).toEqual(['2']);
    expect(await files()).toEqual([]);
  });

  it('forgets what another process has taken', async () => {
    const spool = await open();
    await spool.keep(entry(1));
    expect(await takeAll(await open())).toEqual(['1']);
    expect([await spool.oldest(), spool.size]).toEqual([undefined, 0]);
    expect(await readdir(path.join(folder, 'set-aside'))).toEqual([]);
  });

  it('refuses what would go beyond its limit, and takes it when there is room again', async () => {
    const spool = await open(1_500);
    const kept = await Promise.allSettled([1, 2, 3].map((n) => spool.keep(entry(n))));
    const reasons = kept.flatMap((one) => (one.status === 'rejected' ? [(one.reason as AppError).code] : []));
    expect(reasons.length).toBeGreaterThan(0);
    expect(new Set(reasons)).toEqual(new Set([SPOOL_ERRORS.FULL]));
    await takeAll(spool);
    await spool.keep(entry(4));
    expect(await takeAll(spool)).toEqual(['4']);
  });

  it('says so when it cannot write, and counts nothing that it did not keep', async () => {
    const spool = await open();
    await rm(folder, { recursive: true });
    await expect(spool.keep(entry(1))).rejects.toMatchObject({ code: SPOOL_ERRORS.UNUSABLE });
    expect([spool.size, spool.hasRoom]).toEqual([0, false]);
  });

  it('names the variable where the folder cannot be used', async () => {
    const file = path.join(path.dirname(path.dirname(folder)), 'file');
    await writeFile(file, '');
    await expect(FileSpool.open(path.join(file, 'spool'), secrets, logger)).rejects.toMatchObject({
      code: SPOOL_ERRORS.UNUSABLE,
      message: expect.stringContaining('SPOOL_DIR') as string,
    });
  });
});
