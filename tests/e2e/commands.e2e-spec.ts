import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import { eventually, startDemoModel } from '@nuqloud/testing';

const ROOT = path.resolve(__dirname, '../..');
const LONG = 240_000;

let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'nuqloud-commands-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** What one of the npm commands runs; npm itself is left out, because it answers Ctrl-C with an end of its own. */
const command = (name: string, args: string[] = [], env: Record<string, string> = {}) => {
  const [program, ...first] = scripts[name]?.split(' ') ?? [];
  expect(program).toBe('node');
  // The stores that the test run shares are not the command's: it brings its own.
  const own = Object.entries(process.env).filter(
    ([name]) => !['NATS_URL', 'REDIS_URL', 'DATABASE_URL'].includes(name),
  );
  const child = spawn(process.execPath, [...first, ...args], {
    cwd: ROOT,
    env: { ...Object.fromEntries(own), DATA_DIR: dataDir, ...env },
    detached: true,
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    says: (text: string | RegExp) =>
      eventually(
        () => {
          if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output}`);
          return new RegExp(text).exec(output) ?? false;
        },
        { describe: `the output of "${String(text)}"`, deadlineMs: 180_000 },
      ),
    interrupt: async () => {
      // Ctrl-C reaches the whole group of the terminal.
      process.kill(-(child.pid ?? 0), 'SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
    exit: async () => {
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
};

it(
  '`npm run demo -- --transcript` plays every scene as it should and ends with 0',
  async () => {
    const transcript = command('demo', ['--transcript']);
    expect({ code: await transcript.exit(), output: transcript.output() }).toMatchObject({
      code: 0,
      output: expect.stringContaining('All 7 scenes went as they should.'),
    });
    expect(existsSync(path.join(dataDir, 'demo'))).toBe(false);
  },
  LONG,
);

it(
  '`npm run demo` prints the URL of a living chat page, and Ctrl-C ends all of it',
  async () => {
    const demo = command('demo', ['--port', '0']);
    const [, url = ''] = await demo.says(/Open\s+(http:\/\/\S+)\//);
    expect(await (await fetch(`${url}/`)).text()).toContain('not from a language model');
    const written = await fetch(`${url}/_emulator/rooms/x7k2m9pq/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'alice', text: 'nuq list /Docs' }),
    });
    const { id } = (await written.json()) as { id: number };
    await eventually(
      async () =>
        (await (await fetch(`${url}/_emulator/rooms/x7k2m9pq/messages?after=${id}`)).text()).includes(
          'plan.md',
        ),
      { describe: 'the listing', deadlineMs: 30_000 },
    );
    expect(await demo.interrupt()).toBe(0);
    await expect(fetch(`${url}/`)).rejects.toThrow();
    expect(existsSync(path.join(dataDir, 'demo'))).toBe(false);
  },
  LONG,
);

it(
  '`npm run stack` runs the product against the Nextcloud and model of the environment, and keeps its data',
  async () => {
    const team = readDemoTeam();
    const [bot] = team.bots;
    const [emulator, model] = await Promise.all([startEmulator({ fixture: team }), startDemoModel()]);
    try {
      const stack = command('stack', [], {
        NEXTCLOUD_URL: emulator.url,
        APP_SECRET: team.appApi?.secret ?? '',
        TALK_BOT_SECRET: bot?.secret ?? '',
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: 'scripted-demo',
        APP_PORT: '0',
        GATEWAY_PORT: '0',
      });
      await stack.says('NuQloud-AI is running');
      expect(await stack.interrupt()).toBe(0);
      expect(existsSync(path.join(dataDir, 'stack', 'keys', 'public.json'))).toBe(true);
    } finally {
      await Promise.all([emulator.close(), model.stop()]);
    }
  },
  LONG,
);

it(
  '`npm run stack` without a Nextcloud stops with the variable’s name',
  async () => {
    const stack = command('stack', [], {
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      OPENAI_MODEL: 'x',
      NEXTCLOUD_URL: '',
    });
    expect(await stack.exit()).toBe(1);
    expect(stack.output()).toContain('NEXTCLOUD_URL');
  },
  LONG,
);

it(
  '`npm run emulator` serves the chat page until it is stopped',
  async () => {
    const emulator = command('emulator', ['--port', '0']);
    const [url = ''] = await emulator.says(/http:\/\/127\.0\.0\.1:\d+/);
    expect((await fetch(`${url}/status.php`)).status).toBe(200);
    expect(await emulator.interrupt()).toBe(0);
  },
  LONG,
);
