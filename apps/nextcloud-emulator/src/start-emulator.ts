import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerNextcloud } from './answer-nextcloud';
import { addAppApiRoutes } from './appapi/appapi.routes';
import { createOperator } from './control/answer-operator';
import { resetWorld } from './control/operation.routes';
import type { Emulation } from './emulation';
import { FaultPlan } from './http/fault-plan';
import { nextcloudHeaders } from './http/nextcloud-headers';
import { RequestJournal } from './http/request-journal';
import { Router } from './http/router';
import { createEmulatorServer } from './http/server';
import { addCloudRoutes } from './ocs/cloud.routes';
import type { OcsRoute, OcsRouter } from './ocs/ocs-call';
import { addShareRoutes } from './sharing/shares.routes';
import { addBotApiRoutes } from './talk/bot-api.routes';
import { addBotManagementRoutes } from './talk/bot-management.routes';
import { addChatApiRoutes } from './talk/chat-api.routes';
import { FailureCounter } from './talk/failure-counter';
import { addRoomApiRoutes } from './talk/room-api.routes';
import { WebhookLog } from './talk/webhook-log';
import { buildWorld } from './world/build-world';
import { parseFixture } from './world/fixture';
import type { FixtureInput } from './world/fixture';

/** Talk waits this long for a bot, and the sender of the message waits with it. */
const TALK_TIMEOUT_MS = 5_000;

export interface EmulatorOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The world at the start and after a reset without a fixture; default an empty one. */
  readonly fixture?: FixtureInput;
  /** Sub-folder of the installation, e.g. `/nextcloud`; default none. */
  readonly webRoot?: string;
  /** The base URL that Nextcloud thinks it has; default the one it listens on. */
  readonly publicUrl?: string;
  /** A line for the chat page, e.g. that the answers come from a script. */
  readonly notice?: string;
  /** How long a bot may take to answer a webhook; default Talk's 5000. */
  readonly botTimeoutMs?: number;
  /** Its clock, milliseconds since 1970; a test that moves it on sees new ETags and versions without waiting. */
  readonly now?: () => number;
  /** Told about bugs of the emulator itself; default: printed to the error output. */
  readonly onError?: (error: unknown) => void;
}

export interface Emulator {
  /** Base URL with the sub-folder, without a trailing slash. */
  readonly url: string;
  /** A known world; without a fixture that of the start. @throws {InvalidFixture} */
  reset(fixture?: FixtureInput): void;
  close(): Promise<void>;
}

/** Starts a stand-in for Nextcloud. @throws {InvalidFixture} and what `listen` throws, e.g. EADDRINUSE */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    host = '127.0.0.1',
    port = 0,
    notice = '',
    botTimeoutMs = TALK_TIMEOUT_MS,
    now = Date.now,
  } = options;
  const webRoot = (options.webRoot ?? '').replace(/\/+$/, '');
  const initial = parseFixture(options.fixture ?? {});
  const closing = new AbortController();
  const emulation: Emulation & { publicUrl: string } = {
    world: buildWorld(initial, now()),
    publicUrl: '',
    webRoot,
    notice,
    requests: new RequestJournal(),
    webhooks: new WebhookLog(),
    faults: new FaultPlan(),
    botFailures: new FailureCounter(),
    botTimeoutMs,
    closing: closing.signal,
    history: new EventEmitter().setMaxListeners(0),
    now,
  };
  const ocs = createOcsRouter();
  const server = createEmulatorServer(emulation, {
    operator: createOperator(emulation, initial),
    nextcloud: (exchange) => answerNextcloud(emulation, ocs, exchange),
    nextcloudHeaders: nextcloudHeaders(webRoot, emulation.world.instanceId),
    onError: options.onError ?? printError,
  });
  server.listen(port, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}${webRoot}`;
  emulation.publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '');
  return {
    url,
    reset: (fixture) => resetWorld(emulation, fixture === undefined ? initial : parseFixture(fixture)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        closing.abort();
        server.closeAllConnections();
      }),
  };
}

function createOcsRouter(): OcsRouter {
  const router = new Router<OcsRoute>();
  addCloudRoutes(router);
  addAppApiRoutes(router);
  addBotApiRoutes(router);
  addBotManagementRoutes(router);
  addChatApiRoutes(router);
  addRoomApiRoutes(router);
  addShareRoutes(router);
  return router;
}

function printError(error: unknown): void {
  process.stderr.write(
    `emulator: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
