import type { ExaminedBot } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { Examination } from '../examination';
import type { Running } from './services';
import { examineTalk } from './talk';

const WEBHOOKS_RIGHT = { verified: 3, wrongInARow: 0 };
const NONE_YET = { verified: 0, wrongInARow: 0 };

const linesFor = async (bot: Partial<ExaminedBot>): Promise<string[]> => {
  const lines: string[] = [];
  const reply = {
    bots: [{ bot: 'nuq', instance: 'default', webhooks: WEBHOOKS_RIGHT, rooms: [], ...bot }],
  };
  const bus = { request: () => Promise.resolve(reply) } as unknown as Bus;
  const running = { 'talk-ingress': { name: 'talk-ingress', right: true, value: bus } } as unknown as Running;
  const talk = { name: 'default: Talk', right: true, value: 'default' } as const;
  const exam = new Examination((line) => lines.push(line));
  await examineTalk(exam, running, [{ id: 'default', talk }], undefined);
  return lines.slice(3).map((line) => line.trim());
};

const room = (
  verdict: ExaminedBot['rooms'][number]['verdict'],
  features: { response: boolean } | null = null,
) => ({ room: 'x7k2m9pq', verdict, features });

it('finds a bot right that is accepted in its room', async () => {
  expect(await linesFor({ rooms: [room('accepted')] })).toEqual([
    '✔ nuq: what Nextcloud signs: is right (3 webhooks since talk-ingress started)',
    '✔ nuq: what we sign: is accepted',
    '✔ nuq: room x7k2m9pq: the bot is set up and may respond',
  ]);
});

it('blames the room, not the secret, for a refusal while the webhooks with the same secret are right', async () => {
  const [, signed, place] = await linesFor({ rooms: [room('refused')] });
  expect(signed).toBe('✔ nuq: what we sign: is right, as the same secret shows in webhooks');
  expect(place).toMatch(/^✖ nuq: room x7k2m9pq: the bot may not respond\. A moderator sets it up/);
});

it('blames the secret first while no webhook speaks for it', async () => {
  const [webhooks, signed, place] = await linesFor({ webhooks: NONE_YET, rooms: [room('refused')] });
  expect(webhooks).toMatch(/^– nuq: what Nextcloud signs: no webhook has come/);
  expect(signed).toMatch(/^✖ nuq: what we sign: is refused\. The talkSecret/);
  expect(place).toMatch(/^– nuq: room x7k2m9pq: needs/);
});

it('knows from the features that the secret is right and what is missing', async () => {
  const [, signed, place] = await linesFor({
    webhooks: NONE_YET,
    rooms: [room('refused', { response: false })],
  });
  expect(signed).toBe('✔ nuq: what we sign: is accepted');
  expect(place).toMatch(/✖ .* lacks the feature response/);
});

it('asks for a room where the bot has spoken nowhere yet', async () => {
  const [, signed] = await linesFor({ rooms: [] });
  expect(signed).toMatch(/^– nuq: what we sign: .* `doctor --room TOKEN`/);
});

it('tells of a blocked address and of a door that does not answer', async () => {
  const [, blocked] = await linesFor({ rooms: [room('blocked')] });
  expect(blocked).toMatch(/^✖ nuq: what we sign: Nextcloud has blocked our address/);
  const [, silent] = await linesFor({ webhooks: NONE_YET, rooms: [room('unreachable')] });
  expect(silent).toMatch(/^✖ nuq: what we sign: Talk's door for bots does not answer/);
});
