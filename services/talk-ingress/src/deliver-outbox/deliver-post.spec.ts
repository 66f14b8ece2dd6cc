import { createLogger } from '@nuqloud/platform';
import type { Bot } from '../bots/bot-directory';
import { IngressMetrics } from '../observe/ingress-metrics';
import type { TalkAnswer } from '../domain/judge-delivery';
import type { ClaimedPost, Outbox, Retry } from '../ports/outbox';
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
  throughApp: false,
  sealedAppSecret: null,
};

const nuq: Bot = {
  slug: 'nuq',
  instance: 'default',
  instanceUrl: 'https://cloud.example',
  secret: 's'.repeat(40),
  isAppBot: true,
};

const silent = createLogger({ service: 'test', level: 'silent' });
const CALLED_AT = Date.parse('2026-03-02T09:15:00.000Z');
const TALK_TAKES_MS = 1_234;

/** Delivers with that bot in the directory. Where it was posted, why it failed, and what was recorded how. */
const deliver = async (
  bot: Bot | undefined,
  claimed: ClaimedPost = post,
  answer: TalkAnswer = { status: 201 },
  renewed = false,
) => {
  const calls: BotCall[] = [];
  const failures: string[] = [];
  const recorded: unknown[] = [];
  let now = CALLED_AT;
  const outbox = {
    sent: (_post: ClaimedPost, at: Date) => Promise.resolve(void recorded.push(at.toISOString())),
    failed: (_post: ClaimedPost, reason: string, maybePosted: boolean) => {
      failures.push(reason);
      return Promise.resolve(void recorded.push({ maybePosted }));
    },
    pause: () => Promise.resolve(),
    again: (_post: ClaimedPost, { reason, maybePosted }: Retry) =>
      Promise.resolve(void recorded.push(reason === 'SECRET_REPLACED' ? { reason } : { maybePosted })),
    refused: (_post: ClaimedPost, reason: string) => {
      failures.push(reason);
      return Promise.resolve(1);
    },
  } as Partial<Outbox> as Outbox;
  const talk = {
    call: (call: BotCall) => {
      calls.push(call);
      now += TALK_TAKES_MS;
      return Promise.resolve(answer);
    },
  };
  const directory = { findFresh: () => Promise.resolve(bot) };
  const metrics = new IngressMetrics();
  const appBots = {
    storedSecret: ({ sealedSecret }: { sealedSecret: string | null }) => sealedSecret?.replace('sealed ', ''),
    hasOther: () => Promise.resolve(renewed),
  };
  await new DeliverPost(directory, appBots, talk, outbox, metrics, silent, () => now).deliver(claimed);
  const urls = calls.map(({ instanceUrl }) => instanceUrl);
  return { urls, secrets: calls.map(({ secret }) => secret), failures, recorded };
};

describe('DeliverPost', () => {
  it("posts to the bot's Nextcloud", async () => {
    expect(await deliver(nuq)).toMatchObject({ urls: ['https://cloud.example'], failures: [] });
  });

  it('posts nothing of a bot that is gone', async () => {
    expect(await deliver(undefined)).toMatchObject({
      urls: [],
      failures: ['UNKNOWN_BOT'],
      recorded: [{ maybePosted: false }],
    });
  });

  it('posts nothing to the Nextcloud to which the bot has moved since', async () => {
    const moved = { ...nuq, instance: 'other', instanceUrl: 'https://other.example' };
    expect(await deliver(moved)).toMatchObject({
      urls: [],
      failures: ['UNKNOWN_BOT'],
      recorded: [{ maybePosted: false }],
    });
  });

  it('posts nothing that cannot be read', async () => {
    expect(await deliver(nuq, { ...post, post: undefined })).toMatchObject({
      urls: [],
      failures: ['UNREADABLE'],
    });
  });

  it('records the moment at which Talk said that it has it, by its own clock', async () => {
    expect((await deliver(nuq)).recorded).toEqual(['2026-03-02T09:15:01.234Z']);
  });

  it.each<[TalkAnswer, boolean]>([
    [{ status: 413 }, false],
    [{ status: 429 }, false],
    [{ status: 502 }, true],
    [{ unreachable: 'TIMEOUT' }, true],
  ])('records after %j whether Talk may have it all the same: %s', async (answer, maybePosted) => {
    expect((await deliver(nuq, post, answer)).recorded).toEqual([{ maybePosted }]);
  });

  describe('in a room of which Talk tells through AppAPI', () => {
    const throughApp = { ...post, throughApp: true, sealedAppSecret: 'sealed app secret' };

    it('signs with what the registration gave, and elsewhere with the secret of the plain bot', async () => {
      expect((await deliver(nuq, throughApp)).secrets).toEqual(['app secret']);
      expect((await deliver(nuq, { ...throughApp, throughApp: false })).secrets).toEqual(['s'.repeat(40)]);
    });

    it('signs so everywhere where the bot has no other secret', async () => {
      const onlyApp = { ...nuq, secret: undefined };
      expect((await deliver(onlyApp, { ...throughApp, throughApp: false })).secrets).toEqual(['app secret']);
    });

    it('asks Talk nothing while the app is disabled', async () => {
      const disabled = { ...throughApp, sealedAppSecret: null };
      expect(await deliver(nuq, disabled)).toMatchObject({ urls: [], failures: ['APP_DISABLED'] });
    });

    it('posts again when Talk refuses the signature and the registration gives another secret', async () => {
      expect(await deliver(nuq, throughApp, { status: 401 }, true)).toMatchObject({
        failures: [],
        recorded: [{ reason: 'SECRET_REPLACED' }],
      });
    });

    it('gives up as ever when the secret is the right one', async () => {
      expect((await deliver(nuq, throughApp, { status: 401 }, false)).failures).toEqual(['HTTP_401']);
      expect((await deliver(nuq, post, { status: 401 }, true)).failures).toEqual(['HTTP_401']);
    });
  });
});
