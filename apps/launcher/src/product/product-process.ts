import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';

/** The repository's root; this file runs from `apps/launcher/dist/product`. */
export const ROOT = path.resolve(__dirname, '../../../..');

export interface ProcessOptions {
  /** Name for messages. */
  readonly name: string;
  /** Built entry point, from the repository's root. */
  readonly main: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its log goes here, or to this command's error output. */
  readonly logFile?: string | undefined;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

/** One process of the product. It sees only the variables that it is given, and PATH. */
export class ProductProcess {
  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
    private readonly lastLines: () => string,
  ) {}

  static start({ name, main, args = [], env, logFile }: ProcessOptions): ProductProcess {
    const child = spawn(process.execPath, [path.join(ROOT, main), ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const log =
      logFile === undefined ? process.stderr : createWriteStream(logFile, { flags: 'a', mode: 0o600 });
    let tail = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-4_000);
      log.write(chunk);
    });
    return new ProductProcess(name, child, () => tail);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves with the code when the process ends by itself. */
  async exit(): Promise<number> {
    if (!this.ended) await once(this.child, 'exit');
    return this.child.exitCode ?? 1;
  }

  /** Waits until it logs that it is ready. */
  async ready(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!this.lastLines().includes('"event":"process.ready"')) {
      if (this.ended) throw new Error(`${this.name} ended at its start:\n${this.lastLines()}`);
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready in time:\n${this.lastLines()}`);
      await sleep(20);
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }
}
