import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect } from 'nats';

import type { NatsListen, RunningNats } from './start-nats';
import { startNats } from './start-nats';
import { StoreFailed, StoreMissing } from './store-errors';

const config = ({ port, monitorPort, storeDir }: NatsListen) => `
  host: 127.0.0.1
  port: ${port}
  http: 127.0.0.1:${monitorPort}
  jetstream { store_dir: ${JSON.stringify(storeDir)} }
`;

describe('startNats', () => {
  const started: RunningNats[] = [];
  const start = async (options: Partial<Parameters<typeof startNats>[0]> = {}) => {
    const nats = await startNats({ config, ...options });
    started.push(nats);
    return nats;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((nats) => nats.stop()));
  });

  it('gives a server that answers, with its monitoring', async () => {
    const nats = await start();
    const connection = await connect({ servers: nats.url });
    expect(await connection.rtt()).toBeGreaterThanOrEqual(0);
    await connection.close();

    const monitoring = await fetch(`http://127.0.0.1:${nats.monitorPort}/varz`);
    expect(await monitoring.json()).toMatchObject({ port: nats.port });
  });

  it('keeps configuration and streams where only its own user can read them, until it is stopped', async () => {
    let listen: NatsListen | undefined;
    const nats = await start({
      config: (given) => {
        listen = given;
        return config(given);
      },
    });
    const folder = path.dirname(listen?.storeDir ?? '');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'nats.conf')).mode & 0o777).toBe(0o600);

    await nats.stop();
    expect(existsSync(folder)).toBe(false);
  });

  it('has its port and what was stored again after a crash', async () => {
    const nats = await start();
    const before = await connect({ servers: nats.url });
    const streams = await before.jetstreamManager();
    await streams.streams.add({ name: 'KEPT', subjects: ['kept'] });
    await before.jetstream().publish('kept', 'payload');
    await before.close();

    await nats.kill();
    await expect(connect({ servers: nats.url, timeout: 500, maxReconnectAttempts: 0 })).rejects.toThrow();
    await nats.restart();

    const after = await connect({ servers: nats.url });
    const { state } = await (await after.jetstreamManager()).streams.info('KEPT');
    expect(state.messages).toBe(1);
    await after.close();
  });

  it('keeps streams in a given folder beyond its end', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'nuqloud-kept-'));
    const add = await start({ dataDir });
    const first = await connect({ servers: add.url });
    await (await first.jetstreamManager()).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await first.close();
    await add.stop();

    const read = await start({ dataDir });
    const second = await connect({ servers: read.url });
    expect((await (await second.jetstreamManager()).streams.info('KEPT')).config.subjects).toEqual(['kept']);
    await second.close();
    await read.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('looks for another port when the one it picked is taken meanwhile', async () => {
    const first = await start();
    const ports: number[] = [];
    const second = await start({
      config: (listen) => {
        ports.push(listen.port);
        return config(ports.length === 1 ? { ...listen, port: first.port } : listen);
      },
    });
    expect(ports.length).toBeGreaterThan(1);
    expect(second.port).toBe(ports.at(-1));
  });

  it('fails with what the server wrote when the configuration is wrong', async () => {
    const starting = startNats({ config: (listen) => `${config(listen)}\n no_such_setting: 1` });
    await expect(starting).rejects.toThrow(StoreFailed);
    await expect(starting).rejects.toThrow(/did not start.*no_such_setting/s);
  });

  it('says how to install a server that is not there', async () => {
    process.env.NATS_SERVER_BIN = '/nowhere/nats-server';
    try {
      const starting = startNats({ config });
      await expect(starting).rejects.toThrow(StoreMissing);
      await expect(starting).rejects.toThrow(/nats-server was not found.*[Ii]nstall.*NATS_SERVER_BIN/s);
    } finally {
      delete process.env.NATS_SERVER_BIN;
    }
  });

  it('takes a server that somebody else runs as it is, and does not end it', async () => {
    const own = await start();
    const foreign = await startNats({ config, url: own.url });
    expect(foreign.url).toBe(own.url);
    await expect(foreign.kill()).rejects.toThrow(/not ours/);
    await foreign.stop();

    const connection = await connect({ servers: own.url });
    await connection.close();
  });
});
