import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { SystemUser } from './system-user';

const SUPERVISOR = path.join(__dirname, '../../bin/supervise.cjs');
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
  /** Removed when the program is stopped, and when this process dies. */
  temporaryFolders: string[];
}

/** A program that dies with this process, however this process dies. */
export class SupervisedProcess {
  private readonly exited: Promise<number>;

  private constructor(
    private readonly supervisor: ChildProcess,
    private readonly logFile: string,
  ) {
    this.exited = once(supervisor, 'exit').then(([code]) => Number(code ?? 1));
  }

  static start(description: ProcessDescription): SupervisedProcess {
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
    supervisor.unref();
    supervisor.channel?.unref();
    return new SupervisedProcess(supervisor, logFile);
  }

  get running(): boolean {
    return this.supervisor.exitCode === null && this.supervisor.signalCode === null;
  }

  /** Ends the program in good order, with SIGKILL where that takes longer than 10 s, and removes its folders. */
  stop(): Promise<void> {
    return this.order({ stop: true });
  }

  /** Ends the program at once; its folders stay. */
  kill(): Promise<void> {
    return this.order({ signal: 'SIGKILL' });
  }

  /** Waits for a program that ends by itself. Its exit code; 1 when a signal ended it. */
  async finished(): Promise<number> {
    this.supervisor.ref();
    return this.exited;
  }

  /** The last lines that the program wrote since its start. */
  lastLines(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  }

  private async order(order: { stop: true } | { signal: NodeJS.Signals }): Promise<void> {
    if (!this.running) return;
    // The program may end by itself at this very moment; then the channel is closed, and `finished` tells.
    if (this.supervisor.connected) this.supervisor.send(order, () => undefined);
    await this.finished();
  }
}

/** Stores get no secrets and no settings of ours by inheritance. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LC_ALL: 'C', ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }) };
}
