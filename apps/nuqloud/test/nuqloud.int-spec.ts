import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVICES, DeadLetter, STREAMS } from '@nuqloud/contracts';
import { createPrisma, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, connectToNats } from '@nuqloud/messaging';
import { initKeys, readPrivateKeys } from '@nuqloud/platform';
import { startNats, startPostgres } from '@nuqloud/testing';
import type { RunningNats, RunningPostgres } from '@nuqloud/testing';
import { runCommandLine } from '../src/run-command-line';

jest.setTimeout(60_000);

const run = async (args: string[], env: Record<string, string | undefined>) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const exitCode = await runCommandLine(args, env, { print, printError: print });
  return { exitCode, printed: lines.join('\n') };
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

describe('nuqloud keys init', () => {
  let folder: string;
  let keysDir: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-cli-'));
    keysDir = path.join(folder, 'deep', 'keys');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const contents = () =>
    Object.fromEntries(
      readdirSync(keysDir).map((name) => [name, readFileSync(path.join(keysDir, name), 'utf8')]),
    );

  it('makes a private file for each service and operator, and says which', async () => {
    const { exitCode, printed } = await run(['keys', 'init'], { KEYS_DIR: keysDir });
    expect(exitCode).toBe(0);
    expect(printed).toContain(
      'Made keys: talk-ingress, agent, confirmation, nextcloud-gateway, tool-files, provisioner, monitor',
    );
    const modes = readdirSync(keysDir).map((name) => [name, statSync(path.join(keysDir, name)).mode & 0o777]);
    for (const [name, mode] of modes) {
      expect([name, mode]).toEqual([name, name === 'public.json' || name === 'nats.conf' ? 0o644 : 0o600]);
    }
  });

  it('shows no secret, neither on the terminal nor in nats.conf', async () => {
    const { printed } = await run(['keys', 'init'], { KEYS_DIR: keysDir });
    for (const name of ['agent', 'provisioner', 'monitor']) {
      const { natsSeed, databasePassword, signing } = await readPrivateKeys(keysDir, name);
      for (const secret of [natsSeed, databasePassword, signing.d]) {
        expect(printed).not.toContain(secret);
        expect(contents()['nats.conf']).not.toContain(secret);
      }
    }
  });

  it('changes nothing the second time', async () => {
    await run(['keys', 'init'], { KEYS_DIR: keysDir });
    const before = contents();
    const { exitCode, printed } = await run(['keys', 'init'], { KEYS_DIR: keysDir });
    expect([exitCode, contents()]).toEqual([0, before]);
    expect(printed).toContain('Made keys: all were there already');
  });

  it('hands out to each service its own keys and what all may know, and nothing else', async () => {
    const handOut = path.join(folder, 'handed-out');
    await run(['keys', 'init', '--hand-out', handOut], { KEYS_DIR: keysDir });
    const all = await run(['keys', 'init', '--hand-out', handOut], { KEYS_DIR: keysDir });
    expect(all.exitCode).toBe(0);
    const files = readdirSync(handOut).map((owner) => [owner, readdirSync(path.join(handOut, owner)).sort()]);
    expect(Object.fromEntries(files)).toEqual({
      nats: ['nats.conf'],
      ...Object.fromEntries(SERVICES.map((service) => [service, ['public.json', `${service}.json`].sort()])),
    });
    for (const service of SERVICES) {
      const file = path.join(handOut, service, `${service}.json`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toBe(contents()[`${service}.json`]);
    }
  });

  it('writes nats.conf for a container, or for what the flags say', async () => {
    await run(['keys', 'init'], { KEYS_DIR: keysDir });
    expect(contents()['nats.conf']).toMatch(
      /host: "0\.0\.0\.0"\nport: 4222\nhttp: "127\.0\.0\.1:8222"\njetstream \{ store_dir: "\/data" \}/,
    );
    const flags =
      '--nats-host ::1 --nats-port 5222 --nats-monitor-host ::1 --nats-monitor-port 9222 --nats-store-dir /x';
    await run(['keys', 'init', ...flags.split(' ')], { KEYS_DIR: keysDir });
    expect(contents()['nats.conf']).toMatch(
      /host: "::1"\nport: 5222\nhttp: "::1:9222"\njetstream \{ store_dir: "\/x" \}/,
    );
  });
});

describe('nuqloud init', () => {
  let folder: string;
  let postgres: RunningPostgres;
  let nats: RunningNats;
  let env: { KEYS_DIR: string; DATABASE_URL: string; NATS_URL: string };
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-cli-'));
    const keysDir = path.join(folder, 'keys');
    const port = await freePort();
    const flags = [
      '--nats-host',
      '127.0.0.1',
      '--nats-port',
      `${port}`,
      '--nats-store-dir',
      path.join(folder, 'nats'),
    ];
    const made = await run(['keys', 'init', ...flags, '--nats-monitor-port', `${await freePort()}`], {
      KEYS_DIR: keysDir,
    });
    expect(made.exitCode).toBe(0);
    nats = await startNats({ port, config: () => readFileSync(path.join(keysDir, 'nats.conf'), 'utf8') });
    // Roles belong to the whole server: one that other tests use would get our passwords.
    postgres = await startPostgres();
    env = { KEYS_DIR: keysDir, DATABASE_URL: await postgres.createDatabase('nuqloud'), NATS_URL: nats.url };
  });
  afterAll(async () => {
    await nats?.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('prepares an empty database and bus for every service, and does nothing the second time', async () => {
    const first = await run(['init'], env);
    expect(first.printed).toMatch(/^Migrated: \d{14}_init\n/);
    expect(first.exitCode).toBe(0);

    const second = await run(['init'], env);
    expect(second.printed).toMatch(/^Migrated: nothing to do\n/);
    expect(second.exitCode).toBe(0);

    const { natsSeed, databasePassword } = await readPrivateKeys(env.KEYS_DIR, 'agent');
    const prisma = createPrisma(serviceDatabaseUrl(env.DATABASE_URL, 'agent', databasePassword));
    expect(await prisma.agentBot.count()).toBe(0);
    await prisma.$disconnect();

    const bus = await connectToNats({ url: env.NATS_URL, service: 'agent', natsSeed });
    const durable = await bus.jetstream().consumers.get('CHAT', 'agent');
    expect((await durable.info()).num_pending).toBe(0);
    await bus.close();
  });

  it('makes every stream with its consumers', async () => {
    await run(['init'], env);
    const { natsSeed } = await readPrivateKeys(env.KEYS_DIR, 'monitor');
    const bus = await connectToNats({ url: env.NATS_URL, service: 'monitor', natsSeed });
    const manager = await bus.jetstreamManager({ checkAPI: false });
    for (const { name, subjects, consumers } of STREAMS) {
      const { config, state } = await manager.streams.info(name);
      expect([config.subjects, state.consumer_count]).toEqual([subjects, consumers.length]);
    }
    await bus.close();
  });

  it('makes a place for dead letters, which are listed without what they say and put back', async () => {
    await run(['init'], env);
    expect(await run(['dead-letter', 'list'], env)).toEqual({
      exitCode: 0,
      printed: 'There are no dead letters.',
    });
    const login = async (service: string) => {
      const { natsSeed } = await readPrivateKeys(env.KEYS_DIR, service);
      return Bus.connect({ url: env.NATS_URL, service, natsSeed });
    };
    const [ingress, agent] = [await login('talk-ingress'), await login('agent')];
    await ingress.connection.jetstream().publish('chat.in.default.x7k2m9pq', 'canary');
    const letter = {
      v: 1,
      contract: 'chat.in.v1',
      stream: 'CHAT',
      subject: 'chat.in.default.x7k2m9pq',
      at: '2026-03-02T09:15:00.000Z',
      correlationId: 'c',
      deliveries: 2,
    } as const;
    const noted = (sequence: number, code: string, reason: string) =>
      agent.append(
        DeadLetter,
        { service: 'agent' },
        { ...letter, service: 'agent', sequence, code, reason },
        { messageId: String(sequence), timeoutMs: 2_000 },
      );
    await noted(1, 'BUS.INVALID_REQUEST', 'It is not JSON.\nCHAT-9  waiting');
    await noted(7, 'TypeError', '');
    await Promise.all([ingress.close(), agent.close()]);

    const listed = await run(['dead-letter', 'list'], env);
    expect(listed).toEqual({
      exitCode: 0,
      printed: [
        'CHAT-1  waiting  2026-03-02T09:15:00.000Z  agent  chat.in.default.x7k2m9pq',
        '    BUS.INVALID_REQUEST, tried 2 times. It is not JSON. CHAT-9  waiting',
        'CHAT-7  waiting  2026-03-02T09:15:00.000Z  agent  chat.in.default.x7k2m9pq',
        '    TypeError, tried 2 times.',
      ].join('\n'),
    });
    expect(await run(['dead-letter', 'replay', '--all'], env)).toEqual({
      exitCode: 1,
      printed: 'CHAT-1 was put back as CHAT-2.\nCHAT-7: CHAT does not keep it any more.',
    });
    expect(await run(['dead-letter', 'replay', 'CHAT-1'], env)).toEqual({
      exitCode: 1,
      printed: 'CHAT-1 was put back before.',
    });
    expect(await run(['dead-letter', 'replay', 'CHAT-3'], env)).toEqual({
      exitCode: 1,
      printed: 'There is no dead letter CHAT-3.',
    });
  });

  it('may run several times at once', async () => {
    const database = await postgres.createDatabase('at_once');
    const runs = await Promise.all([1, 2, 3].map(() => run(['init'], { ...env, DATABASE_URL: database })));
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(runs.filter(({ printed }) => printed.includes('_init'))).toHaveLength(1);
  });

  it('says that NATS cannot be reached, and comes to an end', async () => {
    const { exitCode, printed } = await run(['init'], {
      ...env,
      NATS_URL: `nats://127.0.0.1:${await freePort()}`,
    });
    expect([exitCode, printed]).toEqual([1, 'NATS_URL cannot be used: no server answers there.']);
  });

  it('says that the server does not know our keys', async () => {
    const keysDir = path.join(folder, 'other-keys');
    await initKeys(keysDir);
    const { exitCode, printed } = await run(['init'], { ...env, KEYS_DIR: keysDir });
    expect(exitCode).toBe(1);
    expect(printed).toContain('the server does not know the key of provisioner');
  });

  it('says that the bus has no JetStream', async () => {
    const config = readFileSync(path.join(env.KEYS_DIR, 'nats.conf'), 'utf8').replace(/jetstream.*\n/g, '');
    const port = await freePort();
    const monitorPort = await freePort();
    const bare = await startNats({
      port,
      config: () =>
        config
          .replace(/^port: .*/m, `port: ${port}`)
          .replace(/^http: .*/m, `http: "127.0.0.1:${monitorPort}"`),
    });
    try {
      const { exitCode, printed } = await run(['init'], { ...env, NATS_URL: bare.url });
      expect([exitCode, printed]).toEqual([
        1,
        'The streams cannot be set up at NATS_URL: JetStream is not switched on there.',
      ]);
    } finally {
      await bare.stop();
    }
  });

  it('says that the database cannot be reached', async () => {
    const url = `postgresql://nuqloud:canary@127.0.0.1:${await freePort()}/nuqloud`;
    const { exitCode, printed } = await run(['init'], { ...env, DATABASE_URL: url });
    expect([exitCode, printed]).toEqual([1, 'DATABASE_URL cannot be used: ECONNREFUSED.']);
  });
});
