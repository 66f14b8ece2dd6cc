import { createLogger } from '@nuqloud/platform';
import type { Bot } from '../bots/bot-directory';
import { IngressMetrics } from '../observe/ingress-metrics';
import type { ClaimedPost, Outbox } from '../ports/outbox';
import type { BotCall } from '../ports/talk-bot-api';
import { DeliverPost } from './deliver-post';

const post: ClaimedPost = {
  id: 1n,
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  key: 'k',
  part: 0,
  post: { type: 'message', text: 'Hello' },
  referenceId: 'f'.repeat(64),
  attempts: 1,
  ageMs: 0,
  refusals: 0,
};

const nuq: Bot = {
  slug: 'nuq',
  instance: 'default',
  instanceUrl: 'https://cloud.example',
  secret: 's'.repeat(40),
};

/** Delivers with that bot in the directory. Where it was posted, and why it failed. */
const deliver = async (bot: Bot | undefined, claimed: ClaimedPost = post) => {
  const calls: BotCall[] = [];
  const failures: string[] = [];
  const outbox = {
    sent: () => Promise.resolve(),
    failed: (_post: ClaimedPost, reason: string) => Promise.resolve(void failures.push(reason)),
  } as Partial<Outbox> as Outbox;
  const talk = {
    call: (call: BotCall) => {
      calls.push(call);
      return Promise.resolve({ status: 201 });
    },
  };
  const directory = { findFresh: () => Promise.resolve(bot) };
  const silent = createLogger({ service: 'test', level: 'silent' });
  await new DeliverPost(directory, talk, outbox, new IngressMetrics(), silent).deliver(claimed);
  return { urls: calls.map(({ instanceUrl }) => instanceUrl), failures };
};

describe('DeliverPost', () => {
  it("posts to the bot's Nextcloud", async () => {
    expect(await deliver(nuq)).toEqual({ urls: ['https://cloud.example'], failures: [] });
  });

  it('posts nothing of a bot that is gone', async () => {
    expect(await deliver(undefined)).toEqual({ urls: [], failures: ['UNKNOWN_BOT'] });
  });

  it('posts nothing to the Nextcloud to which the bot has moved since', async () => {
    const moved = { ...nuq, instance: 'other', instanceUrl: 'https://other.example' };
    expect(await deliver(moved)).toEqual({ urls: [], failures: ['UNKNOWN_BOT'] });
  });

  it('posts nothing that cannot be read', async () => {
    expect(await deliver(nuq, { ...post, post: undefined })).toEqual({ urls: [], failures: ['UNREADABLE'] });
  });
});
