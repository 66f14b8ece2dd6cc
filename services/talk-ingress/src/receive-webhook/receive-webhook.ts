import type { Readable } from 'node:stream';
import { BotSlug } from '@nuqloud/contracts';
import type { Logger } from '@nuqloud/platform';
import type { BotDirectory } from '../bots/bot-directory';
import { isSignedByTalk } from '../domain/talk-signature';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { Recorded, RecordEvent } from '../record-event/record-event';
import { readBody } from './read-body';

export interface Webhook {
  readonly slug: string;
  readonly random: string | undefined;
  readonly signature: string | undefined;
  readonly length: string | undefined;
  readonly body: Readable | undefined;
}

/** Why a webhook is not taken, with the HTTP status that says so. */
export const REFUSALS = {
  UNKNOWN_BOT: 404,
  TOO_LARGE: 413,
  ABORTED: 400,
  BAD_SIGNATURE: 401,
  NOT_JSON: 400,
  NOT_STORED: 503,
} as const;
export type Refusal = keyof typeof REFUSALS;

export type Outcome = Recorded | Refusal;

export const isRefusal = (outcome: Outcome): outcome is Refusal => outcome in REFUSALS;

/** Takes what Talk tells a bot by a webhook of its own. */
export class ReceiveWebhook {
  constructor(
    private readonly bots: BotDirectory,
    private readonly events: RecordEvent,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
  ) {}

  /** Never rejects. */
  async receive(webhook: Webhook): Promise<Outcome> {
    const endTimer = this.metrics.webhookSeconds.startTimer();
    const outcome = await this.take(webhook);
    this.metrics.countWebhook(this.bots.find(webhook.slug)?.slug, outcome);
    if (isRefusal(outcome)) {
      // The slug was chosen by the client: it is named only where it could be one.
      const slug = BotSlug.safeParse(webhook.slug).data;
      this.logger.warn({ event: 'webhook.refused', reason: outcome, bot: slug });
    }
    endTimer();
    return outcome;
  }

  private async take({ slug, random, signature, length, body }: Webhook): Promise<Outcome> {
    const bot = this.bots.find(slug);
    // One without a secret of its own is reached through AppAPI only.
    if (bot?.secret === undefined) return 'UNKNOWN_BOT';
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(body, length);
    } catch {
      return 'ABORTED'; // the client went away; nobody hears the answer
    }
    if (!bytes) return 'TOO_LARGE';
    if (!isSignedByTalk(bot.secret, { random, signature, body: bytes })) return 'BAD_SIGNATURE';
    return this.events.record({ bot, through: 'talk', body: bytes, random: random ?? '' });
  }
}
