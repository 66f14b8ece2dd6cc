import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { eventually } from '../eventually';

const PARENT = path.join(__dirname, '../../test/start-and-wait.cjs');

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('stores whose process ends without stopping them', () => {
  let temporary: string;
  beforeEach(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'nuqloud-abandoned-'));
    chmodSync(temporary, 0o755);
  });
  afterEach(() => rmSync(temporary, { recursive: true, force: true }));

  const startParent = async (): Promise<{ parent: ChildProcess; ports: number[] }> => {
    const parent = spawn(process.execPath, [PARENT], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(parent.stdout, 'data');
    return { parent, ports: JSON.parse(String(line)) as number[] };
  };

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'end with it and leave nothing behind: %s',
    async (signal) => {
      const { parent, ports } = await startParent();
      expect(await Promise.all(ports.map(isListening))).toEqual([true, true, true]);
      expect(readdirSync(temporary)).toHaveLength(3);

      parent.kill(signal);
      await once(parent, 'exit');

      await eventually(() => readdirSync(temporary).length === 0, {
        describe: 'removal of the temporary folders',
        deadlineMs: 15_000,
      });
      expect(await Promise.all(ports.map(isListening))).toEqual([false, false, false]);
    },
    60_000,
  );
});
