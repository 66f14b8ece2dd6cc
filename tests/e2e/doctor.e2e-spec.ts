import { serviceRole } from '@nuqloud/database';
import { readDemoTeam } from '@nuqloud/nextcloud-emulator';
import { runCommandLine } from '@nuqloud/nuqloud';
import type { RunningService } from '@nuqloud/platform';
import { calls, eventually, pickFreePort, says } from '@nuqloud/testing';
import { Client } from 'pg';
import { Product, TEAM_ROOM } from './product';

const CALLS_THE_TOOL = calls({ name: 'doctor_probe', arguments: { word: 'ready' } });

let product: Product;
let toolFiles: RunningService;

beforeAll(async () => {
  product = await Product.start();
  toolFiles = await product.startToolFiles();
  await product.write('alice', 'nuq help');
  await eventually(async () => (await product.messages()).some(({ actorType }) => actorType === 'bots'), {
    describe: 'the first answer',
    deadlineMs: 20_000,
  });
});

afterAll(async () => {
  await product?.close();
});

const examine = async (change: Record<string, string> = {}, ...flags: string[]) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const env = { ...product.environment(), ...change };
  const exitCode = await runCommandLine(['doctor', ...flags], env, { print, printError: print });
  const wrong = lines.filter((line) => line.includes('✖') && line.startsWith(' '));
  return { exitCode, lines, wrong, told: lines.join('\n') };
};

it('finds nothing wrong and leaves nothing out where all is well', async () => {
  product.model.expect({ answer: CALLS_THE_TOOL });
  const { exitCode, lines, told } = await examine();
  expect(lines.filter((line) => /^ {2}[✖–]/.test(line))).toEqual([]);
  expect(exitCode).toBe(0);
  expect(told).toContain(`✔ nuq: room ${TEAM_ROOM}: the bot is set up and may respond`);
  expect(told).toContain('✔ default: files: offers');
  expect(lines.at(-1)).toBe('37 right, 0 wrong, 0 not examined');
});

const owner = async (sql: string) => {
  const client = new Client({ connectionString: product.bed.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
};

const demoBot = () => {
  const [bot] = readDemoTeam().bots;
  if (!bot) throw new Error('The demo has no bot.');
  return bot;
};

it('names each of five planted faults by its line, and nothing else', async () => {
  const port = await pickFreePort();
  const role = serviceRole('confirmation');
  await owner(`REVOKE UPDATE ON confirmation_bots FROM ${role}; GRANT SELECT ON agent_turns TO ${role}`);
  product.resetNextcloud({
    nextcloud: { version: '35.0.0' },
    appApi: { id: 'nuqloud_ai', secret: 'another' },
    bots: [{ ...demoBot(), features: ['webhook', 'reaction'] }],
  });
  product.model.expect({ answer: says('Certainly! I called it.') });
  const { exitCode, wrong } = await examine({ REDIS_URL: `redis://:canary-1@127.0.0.1:${port}` });
  await owner(`GRANT UPDATE ON confirmation_bots TO ${role}; REVOKE SELECT ON agent_turns FROM ${role}`);
  product.resetNextcloud();

  expect(wrong).toEqual([
    '  ✖ Redis: REDIS_URL cannot be used: ECONNREFUSED.',
    `  ✖ database role of confirmation: ${role} lacks confirmation_bots: UPDATE; ${role} has too much: agent_turns: SELECT. Run \`npm run nuqloud -- init\`.`,
    expect.stringMatching(/^ {2}✖ default: AppAPI secret: Nextcloud did not accept the AppAPI login of/),
    expect.stringMatching(/^ {2}✖ nuq: room x7k2m9pq: the bot is set up, but lacks the feature response/),
    expect.stringMatching(/^ {2}✖ default model: The model answered in words where it was asked to call/),
  ]);
  expect(exitCode).toBe(1);
});

it('names a Talk secret that is another in Nextcloud, in both directions, and shows neither', async () => {
  product.resetNextcloud({ bots: [{ ...demoBot(), secret: 'canary-'.repeat(8) }] });
  await product.write('alice', 'nuq are you there?');
  product.model.expect({ answer: CALLS_THE_TOOL });
  const { wrong, told } = await examine();
  product.resetNextcloud();
  await product.write('alice', 'good morning');

  expect(wrong).toEqual([
    expect.stringMatching(/^ {2}✖ nuq: what Nextcloud signs: is wrong in the last 1 webhooks/),
    expect.stringMatching(/^ {2}✖ nuq: what we sign: is refused/),
  ]);
  expect(told).not.toContain(demoBot().secret);
  expect(told).not.toContain('canary-');
});

it('names a Nextcloud in maintenance and a tool service that is away, and leaves out what needs them', async () => {
  await toolFiles.close();
  const path = '/ocs/v2.php/cloud/capabilities';
  await product.control('POST', 'faults', { match: { path }, status: 503, times: 5 });
  product.model.expect({ answer: CALLS_THE_TOOL });
  const { wrong, lines } = await examine();
  await product.control('DELETE', 'faults');

  expect(wrong).toEqual([
    '  ✖ tool-files: does not answer on the bus. Start it; its log says what it lacks.',
    '  ✖ default: server: Nextcloud is not available at the moment: it answered with status 503.',
  ]);
  expect(lines.filter((line) => line.startsWith('  –'))).toEqual([
    '  – default: Talk: needs "default: server" to be right',
    '  – default: AppAPI secret: needs "default: server" to be right',
    '  – nuq: what Nextcloud signs: needs "default: Talk" to be right',
    '  – nuq: what we sign: needs "default: Talk" to be right',
    '  – nuq: room x7k2m9pq: needs "nuq: what we sign" to be right',
    '  – default: files: needs "tool-files" to be right',
  ]);
});

it('leaves out all that is asked over a bus that is not there', async () => {
  const { wrong, exitCode, told } = await examine({ NATS_URL: `nats://127.0.0.1:${await pickFreePort()}` });
  expect(wrong).toEqual(['  ✖ NATS: NATS_URL cannot be used: no server answers there.']);
  expect(told).toContain('– instances: needs "nextcloud-gateway" to be right');
  expect(exitCode).toBe(1);
});
