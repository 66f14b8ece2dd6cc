import type { ExaminedBot, RoomVerdict } from '@nuqloud/contracts';
import type { AppBots } from '../app-life-cycle/app-bots';
import type { Bot, BotDirectory } from '../bots/bot-directory';
import type { TalkAnswer } from '../domain/judge-delivery';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { Outbox } from '../ports/outbox';
import type { TalkBotApi } from '../ports/talk-bot-api';

/** A wrong signature counts against our address at Nextcloud, so few rooms are tried. */
const MAX_ROOMS = 3;

/**
 * Taking away a reaction that nobody gave, from a message that does not exist: Talk checks the signature first, and
 * then has nothing to do.
 */
const HARMLESS = { type: 'reaction_remove', messageId: '2147483646', reaction: '👀' } as const;

const RESPONSE_FEATURE = 2;

/** Tells from both sides whether each bot's secret is the one that Nextcloud has. */
export class ExamineTalk {
  constructor(
    private readonly bots: Pick<BotDirectory, 'all'>,
    private readonly appBots: Pick<AppBots, 'secretIn'>,
    private readonly talk: TalkBotApi,
    private readonly outbox: Pick<Outbox, 'recentRooms'>,
    private readonly metrics: Pick<IngressMetrics, 'signaturesOf'>,
  ) {}

  /** @param room tried too, for a bot that has not posted anywhere yet */
  examineAll(room: string | undefined): Promise<ExaminedBot[]> {
    return Promise.all(this.bots.all().map((bot) => this.examine(bot, room)));
  }

  private async examine(bot: Bot, room: string | undefined): Promise<ExaminedBot> {
    const { slug, instance } = bot;
    const recent = await this.outbox.recentRooms(instance, slug, MAX_ROOMS);
    const rooms = [...new Set([...(room === undefined ? [] : [room]), ...recent])];
    return {
      bot: slug,
      instance,
      webhooks: this.metrics.signaturesOf(slug),
      rooms: await Promise.all(rooms.map((token) => this.examineRoom(bot, token))),
    };
  }

  private async examineRoom(bot: Bot, room: string): Promise<ExaminedBot['rooms'][number]> {
    const secret = await this.appBots.secretIn(bot, room);
    // A bot that is registered through AppAPI has none while the app is disabled.
    if (secret === undefined) return { room, verdict: 'refused', features: null };
    const calling = { instanceUrl: bot.instanceUrl, secret, room };
    const features = await this.talk.features(calling);
    const verdict = verdictOf(await this.talk.call({ ...calling, post: HARMLESS, referenceId: '' }));
    const response = features === undefined ? undefined : (features & RESPONSE_FEATURE) !== 0;
    return { room, verdict, features: response === undefined ? null : { response } };
  }
}

const verdictOf = (answer: TalkAnswer): RoomVerdict => {
  if ('unreachable' in answer) return 'unreachable';
  if (answer.status === 200 || answer.status === 404) return 'accepted';
  if (answer.status === 401) return 'refused';
  return answer.status === 429 ? 'blocked' : 'unreachable';
};
