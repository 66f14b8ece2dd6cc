import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ServiceName } from '@nuqloud/contracts';
import { eventually } from '@nuqloud/testing';

const ROOT = path.resolve(__dirname, '../../..');

export type Environment = Readonly<Record<string, string>>;

/** A service as it is deployed: its built `main.js` as a process of its own, with the variables it is given and no others. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private log = '';

  constructor(
    private readonly name: ServiceName,
    private readonly env: Environment,
  ) {}

  async start(): Promise<void> {
    const from = this.log.length;
    const child = spawn(process.execPath, [path.join(ROOT, `services/${this.name}/dist/main.js`)], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.child = child;
    await eventually(() => this.log.includes('"event":"process.ready"', from) || this.refuseEnd(), {
      describe: `the start of ${this.name}`,
      deadlineMs: 60_000,
    });
  }

  /** No handler of the process runs: what it had in hand stays where it was. */
  async kill(): Promise<void> {
    if (!this.child || this.ended) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Asks it to end. @returns its exit code; null where a signal ended it */
  async terminate(): Promise<number | null> {
    if (!this.child || this.ended) throw new Error(`${this.name} does not run.`);
    const ended = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill('SIGTERM');
    const [code] = await ended;
    return code;
  }

  /** Everything it ever wrote to its output and error output. */
  get lines(): string {
    return this.log;
  }

  private get ended(): boolean {
    return this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null);
  }

  private refuseEnd(): false {
    if (this.ended) throw new Error(`${this.name} ended at its start:\n${this.log}`);
    return false;
  }
}
