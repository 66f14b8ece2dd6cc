import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import { DEMO_MODEL_ID, eventually, pickFreePort, startDemoModel } from '@nuqloud/testing';

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
  return run(process.execPath, [...first, ...args], { DATA_DIR: dataDir, ...env });
};

const run = (program: string, args: string[], env: Record<string, string>) => {
  // The stores that the test run shares are not the command's: it brings its own.
  const own = Object.entries(process.env).filter(
    ([name]) => !['NATS_URL', 'REDIS_URL', 'DATABASE_URL'].includes(name),
  );
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...Object.fromEntries(own), ...env },
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

/** Alice asks for a folder in the room Team, and has the answer there. */
const getsAListing = async (emulatorUrl: string): Promise<void> => {
  const room = `${emulatorUrl}/_emulator/rooms/x7k2m9pq/messages`;
  const written = await fetch(room, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'alice', text: 'nuq list /Docs' }),
  });
  const { id } = (await written.json()) as { id: number };
  await eventually(async () => (await (await fetch(`${room}?after=${id}`)).text()).includes('plan.md'), {
    describe: 'the listing',
    deadlineMs: 30_000,
  });
};

/** A copy of .env.example with these values. @returns the file */
const filledInExample = async (values: Record<string, string>): Promise<string> => {
  let text = readFileSync(path.join(ROOT, '.env.example'), 'utf8');
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name}=.*$`, 'm');
    expect(text).toMatch(line);
    text = text.replace(line, () => `${name}='${value}'`);
  }
  const file = path.join(dataDir, 'env');
  await writeFile(file, text);
  return file;
};

it(
  '`npm run demo -- --transcript` plays every scene as it should and ends with 0',
  async () => {
    const transcript = command('demo', ['--transcript']);
    expect({ code: await transcript.exit(), output: transcript.output() }).toMatchObject({
      code: 0,
      output: expect.stringContaining('All 13 scenes went as they should.'),
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
    await getsAListing(url);
    expect(await demo.interrupt()).toBe(0);
    await expect(fetch(`${url}/`)).rejects.toThrow();
    expect(existsSync(path.join(dataDir, 'demo'))).toBe(false);
  },
  LONG,
);

it(
  '`npm run stack` with .env.example filled in answers a message, and does so again after a restart',
  async () => {
    const team = readDemoTeam();
    const [bot] = team.bots;
    if (!bot || !team.appApi) throw new Error('The demo fixture needs a bot and AppAPI values.');
    const [door, gatewayPort] = [await pickFreePort(), await pickFreePort()];
    const url = `http://127.0.0.1:${door}/webhook/talk/nuq`;
    const [emulator, model] = await Promise.all([
      startEmulator({ fixture: { ...team, bots: [{ ...bot, url }] } }),
      startDemoModel(),
    ]);
    const env = await filledInExample({
      NEXTCLOUD_URL: emulator.url,
      TALK_BOT_SECRET: bot.secret,
      APP_SECRET: team.appApi.secret,
      APP_HOST: '127.0.0.1',
      APP_PORT: String(door),
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: DEMO_MODEL_ID,
      DATA_DIR: dataDir,
      GATEWAY_PORT: String(gatewayPort),
    });
    // As README says it: exported by the shell, with an empty string for everything that is not filled in.
    const start = () => run('sh', ['-c', `set -a; . '${env}'; set +a; exec ${scripts.stack}`], {});
    try {
      for (let starts = 1; starts <= 2; starts += 1) {
        const stack = start();
        await stack.says('NuQloud-AI is running');
        await getsAListing(emulator.url);
        expect(await stack.interrupt()).toBe(0);
      }
      expect(existsSync(path.join(dataDir, 'stack', 'keys', 'public.json'))).toBe(true);
    } finally {
      await Promise.all([emulator.close(), model.stop()]);
    }
  },
  LONG,
);

it(
  '`npm run stack` stops with the names of the variables that are missing or wrong, and not their values',
  async () => {
    const stack = command('stack', [], {
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      OPENAI_MODEL: 'x',
      NEXTCLOUD_URL: '',
      TALK_BOT_SECRET: 'canary',
    });
    expect(await stack.exit()).toBe(1);
    for (const problem of [
      'NEXTCLOUD_URL is not set',
      'APP_SECRET is not set',
      'TALK_BOT_SECRET must have 40',
    ])
      expect(stack.output()).toContain(problem);
    expect(stack.output()).not.toContain('canary');
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
