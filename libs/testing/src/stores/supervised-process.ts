import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { SystemUser } from './system-user';

const SUPERVISOR = path.join(__dirname, '../../bin/supervise.cjs');
const STOP_DEADLINE_MS = 10_000;
const SHOWN_LINES = 15;

export interface ProcessDescription {
  command: string;
  args: string[];
  /** Only root can name one; without it the process runs as we do. */
  user?: SystemUser | undefined;
  /** The signal on which the program ends in good order. */
  stopSignal: NodeJS.Signals;
  /** Takes what the program writes; begun anew at each start. */
  logFile: string;
  /** Removed when this process dies without having stopped the program. */
  temporaryFolders: string[];
}

/** A program that dies with this process, however this process dies. */
export class SupervisedProcess {
  private readonly exited: Promise<number>;

  private constructor(
    private readonly supervisor: ChildProcess,
    private readonly description: ProcessDescription,
    /** The process id of the program itself; undefined when it could not be started. */
    readonly pid: number | undefined,
  ) {
    this.exited = this.running
      ? once(supervisor, 'exit').then(([code]) => Number(code ?? 1))
      : Promise.resolve(supervisor.exitCode ?? 1);
  }

  static async start(description: ProcessDescription): Promise<SupervisedProcess> {
    const { command, args, user, stopSignal, logFile, temporaryFolders } = description;
    const log = openSync(logFile, 'w', 0o600);
    const orders = {
      command,
      args,
      uid: user?.uid,
      gid: user?.gid,
      stopSignal,
      temporaryFolders,
      env: environment(),
    };
    // Detached, so that Ctrl-C in a terminal reaches the program that uses the store, and not the store under it.
    const supervisor = spawn(process.execPath, [SUPERVISOR, JSON.stringify(orders)], {
      stdio: ['ignore', log, log, 'ipc'],
      detached: true,
      env: environment(),
    });
    closeSync(log);
    const pid = await Promise.race([
      once(supervisor, 'message').then(([message]) => (message as { pid: number }).pid),
      once(supervisor, 'exit').then(() => undefined),
    ]);
    supervisor.unref();
    supervisor.channel?.unref();
    return new SupervisedProcess(supervisor, description, pid);
  }

  get running(): boolean {
    return this.supervisor.exitCode === null && this.supervisor.signalCode === null;
  }

  /** Sends the signal (by default the one for an end in good order) and waits for the end; SIGKILL after 10 s. */
  async end(signal: NodeJS.Signals = this.description.stopSignal): Promise<void> {
    if (!this.running) return;
    this.send(signal);
    const impatience = setTimeout(() => this.send('SIGKILL'), STOP_DEADLINE_MS);
    await this.finished();
    clearTimeout(impatience);
  }

  /** Waits for a program that ends by itself. Its exit code; 1 when a signal ended it. */
  async finished(): Promise<number> {
    this.supervisor.ref();
    return this.exited;
  }

  /** The last lines that the program wrote since its start. */
  lastLines(): string {
    return readFileSync(this.description.logFile, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-SHOWN_LINES)
      .join('\n');
  }

  private send(signal: NodeJS.Signals): void {
    // The program may end by itself at this very moment; then the channel is closed, and `exited` tells.
    if (this.supervisor.connected) this.supervisor.send({ signal }, () => undefined);
  }
}

/** Stores get no secrets and no settings of ours by inheritance. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LC_ALL: 'C', ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }) };
}
