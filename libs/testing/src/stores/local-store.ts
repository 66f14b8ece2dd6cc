import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { pickFreePort } from './free-port';
import { StoreFailed } from './store-errors';
import type { ProcessDescription } from './supervised-process';
import { SupervisedProcess } from './supervised-process';

const ACCEPT_DEADLINE_MS = 30_000;
const PROBE_TIMEOUT_MS = 1_000;
const POLL_MS = 20;
const ATTEMPTS = 20;
const ATTEMPT_PAUSE_MS = 150;

/** A port lost to somebody else, or what a killed PostgreSQL still holds for an instant: worth another attempt. */
const PASSING =
  /address already in use|pre-existing shared memory block|lock file "postmaster.pid" already exists/i;

/** A store that runs, as its users see it. */
export interface RunningStore {
  /** With the credentials of its administrator, where it has one. */
  readonly url: string;
  readonly port: number;
  /** Ends it in good order and removes everything temporary. */
  stop(): Promise<void>;
  /** SIGKILL; port and data are kept for `restart`. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data; kills it first when it still runs. */
  restart(): Promise<void>;
}

export interface LocalStoreDescription {
  /** As it stands in error messages. */
  name: string;
  /** A random free one unless given. */
  port?: number | undefined;
  /** Removed by `stop`, and when this process dies. */
  temporaryFolders: string[];
  /** Called before each start, with the port to listen on. */
  prepare(port: number): Promise<Omit<ProcessDescription, 'temporaryFolders'>>;
  /** Whether the store answers on that port as only our own would. */
  accepts(port: number): Promise<boolean>;
}

/** Start, crash, restart and end of a store on this machine. */
export class LocalStore {
  private constructor(
    private readonly description: LocalStoreDescription,
    private running: SupervisedProcess,
    readonly port: number,
  ) {}

  static async start(description: LocalStoreDescription): Promise<LocalStore> {
    try {
      const { running, port } = await launch(description, description.port);
      return new LocalStore(description, running, port);
    } catch (error) {
      removeAll(description.temporaryFolders);
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.running.stop();
    removeAll(this.description.temporaryFolders);
  }

  async kill(): Promise<void> {
    await this.running.kill();
  }

  async restart(): Promise<void> {
    await this.kill();
    ({ running: this.running } = await launch(this.description, this.port));
  }
}

interface Launched {
  running: SupervisedProcess;
  port: number;
}

async function launch(description: LocalStoreDescription, fixedPort: number | undefined): Promise<Launched> {
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await pickFreePort());
    const prepared = await description.prepare(port);
    const running = SupervisedProcess.start({
      ...prepared,
      temporaryFolders: description.temporaryFolders,
    });
    if (await acceptsInTime(running, () => description.accepts(port))) return { running, port };

    const ended = !running.running;
    await running.kill();
    const lines = running.lastLines();
    if (!ended) throw new StoreFailed(`${description.name} did not accept connections in time.`, lines);
    if (attempt === ATTEMPTS || !PASSING.test(lines))
      throw new StoreFailed(`${description.name} did not start.`, lines);
    await sleep(ATTEMPT_PAUSE_MS);
  }
}

async function acceptsInTime(running: SupervisedProcess, accepts: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + ACCEPT_DEADLINE_MS;
  while (running.running && Date.now() < deadline) {
    if (await accepts()) return running.running;
    await sleep(POLL_MS);
  }
  return false;
}

function removeAll(folders: string[]): void {
  // A killed PostgreSQL may still be writing its last file: hence the retries.
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

/** Whether whoever listens on that port answers `send` with something that contains `expected`. */
export function answers(port: number, send: string, expected: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('connect', () => socket.write(send));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes(expected)) finish(true);
    });
  });
}

/** A store that somebody else runs: it is used as it is, never stopped, and cannot be crashed for a test. */
export function foreignStore(name: string, url: string): RunningStore {
  const refuse = () =>
    Promise.reject(new StoreFailed(`${name} is not ours: only one started here can be killed.`));
  return {
    url,
    port: Number(new URL(url).port),
    stop: () => Promise.resolve(),
    kill: refuse,
    restart: refuse,
  };
}
