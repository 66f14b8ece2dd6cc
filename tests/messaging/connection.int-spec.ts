import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Controller, Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BUS_ACCESS, ExecuteTool, ToolsChanged } from '@nuqloud/contracts';
import type { BusAccess, ExecuteToolReply, ServiceName } from '@nuqloud/contracts';
import { Bus, BUS_ERRORS, BusServer, OnEvent, OnRequest, serverConfig } from '@nuqloud/messaging';
import { createLogger, initKeys, nestLogger, readPrivateKeys, readPublicKeys } from '@nuqloud/platform';
import { eventually, startNats } from '@nuqloud/testing';
import type { RunningNats } from '@nuqloud/testing';

let folder: string;
let nats: RunningNats;
/** What the server allows from its next start on. */
let access: Readonly<Record<ServiceName, BusAccess>>;
const ending: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-connection-'));
  access = BUS_ACCESS;
  await initKeys(path.join(folder, 'keys'));
  const keys = await readPublicKeys(path.join(folder, 'keys'));
  nats = await startNats({
    config: ({ port, storeDir }) =>
      serverConfig({ keys, access, streams: [], host: '127.0.0.1', port, storeDir }),
  });
});

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A logger, and the events that were logged with it, with their codes. */
const recorder = () => {
  const lines: { event: string; code?: string }[] = [];
  const logger = createLogger(
    { service: 'test', level: 'info' },
    { write: (line) => void lines.push(JSON.parse(line) as { event: string }) },
  );
  return { logger, lines, events: () => lines.map(({ event }) => event) };
};

const optionsFor = async (service: ServiceName) => ({
  url: nats.url,
  service,
  natsSeed: (await readPrivateKeys(path.join(folder, 'keys'), service)).natsSeed,
});

const connect = async (service: ServiceName, logger = recorder().logger): Promise<Bus> => {
  const bus = await Bus.connect(await optionsFor(service), logger);
  ending.push(() => bus.close());
  return bus;
};

@Module({})
class EmptyModule {}

const serve = async (bus: Bus, controller: Type): Promise<void> => {
  const { logger } = recorder();
  const module: DynamicModule = { module: EmptyModule, controllers: [controller] };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    strategy: new BusServer({
      bus,
      logger,
      version: '0.1.0',
      description: 'test',
      params: { provider: 'files' },
    }),
    logger: nestLogger(logger),
  });
  await app.listen();
  ending.push(() => app.close());
};

@Controller()
class Tool {
  @OnRequest(ExecuteTool)
  execute(): ExecuteToolReply {
    return { v: 1, result: { content: [], isError: false } };
  }
}

@Controller()
class Listener {
  @OnEvent(ToolsChanged)
  hear(): void {
    // Nothing is told here: what matters is whether it is heard at all.
  }
}

describe('a service that starts', () => {
  it('says that no server answers, once, and connects when one does', async () => {
    await nats.kill();
    const { logger, lines } = recorder();
    const connecting = connect('tool-files', logger);
    await eventually(() => lines.length > 0, { describe: 'the log line' });
    await nats.restart();
    expect((await connecting).connected).toBe(true);
    expect(lines).toMatchObject([{ event: 'bus.unreachable', code: 'CONNECTION_REFUSED', level: 40 }]);
  });

  it('stops with words where the server does not know its key, and does not show the key', async () => {
    const other = path.join(folder, 'other-keys');
    await initKeys(other);
    const { natsSeed } = await readPrivateKeys(other, 'tool-files');
    const refused: unknown = await Bus.connect({ ...(await optionsFor('tool-files')), natsSeed }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: BUS_ERRORS.REFUSED, retryable: false });
    expect((refused as Error).message).toMatch(/NATS_URL refuses the login of tool-files.*KEYS_DIR/);
    expect((refused as Error).message).not.toContain(natsSeed);
  });

  it.each(['nats://[', 'nats://127.0.0.1:99999'])('stops with words for the address %s', async (url) => {
    await expect(Bus.connect({ ...(await optionsFor('tool-files')), url })).rejects.toMatchObject({
      code: BUS_ERRORS.INVALID_URL,
      message: expect.stringContaining('NATS_URL is no address'),
    });
  });
});

describe('a service that runs', () => {
  it('logs the loss of the server and its return, each once', async () => {
    const { logger, events } = recorder();
    const bus = await connect('tool-files', logger);
    await nats.kill();
    await eventually(() => !bus.connected && !bus.ready, { describe: 'the loss' });
    await nats.restart();
    await eventually(() => bus.ready, { describe: 'the return', deadlineMs: 15_000 });
    expect(events()).toEqual(['bus.disconnected', 'bus.connected']);
  });

  it.each([
    ['an endpoint', 'tool-files', Tool],
    ['a subscription to events', 'agent', Listener],
  ] as const)(
    'is not ready, and says so, when the server takes %s away',
    async (_what, service, controller) => {
      const { logger, events } = recorder();
      const bus = await connect(service, logger);
      await serve(bus, controller);
      expect(bus.ready).toBe(true);
      await nats.kill();
      access = { ...BUS_ACCESS, [service]: { ...BUS_ACCESS[service], receives: [] } };
      await nats.restart();
      await eventually(() => events().includes('bus.subscription-lost'), {
        describe: 'the log line',
        deadlineMs: 15_000,
      });
      expect([bus.connected, bus.ready]).toEqual([true, false]);
    },
  );

  it('that is stopped loses nothing', async () => {
    const { logger, events } = recorder();
    const bus = await connect('tool-files', logger);
    await serve(bus, Tool);
    for (const end of ending.splice(0).reverse()) await end();
    expect(events()).toEqual([]);
  });
});
