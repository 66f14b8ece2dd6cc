import type { Readable } from 'node:stream';
import { BotSlug } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger, TokenSigner } from '@nuqloud/platform';
import { attestEvent } from '../attest-event/attest-event';
import type { Bot, BotDirectory } from '../bots/bot-directory';
import { interpretPayload } from '../domain/interpret-payload';
import type { Ignored } from '../domain/interpret-payload';
import { streamMessageId } from '../domain/stream-message-id';
import { isSignedByTalk } from '../domain/talk-signature';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { StoreEvent } from '../store-event/store-event';
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

export type Outcome = 'STORED' | 'SPOOLED' | 'DUPLICATE' | Ignored | Refusal;

/** Takes what Talk tells a bot: once this returns STORED or SPOOLED, it is never lost. */
export class ReceiveWebhook {
  constructor(
    private readonly bots: BotDirectory,
    private readonly signer: TokenSigner,
    private readonly events: StoreEvent,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects. */
  async receive(webhook: Webhook): Promise<Outcome> {
    const endTimer = this.metrics.webhookSeconds.startTimer();
    const bot = this.bots.find(webhook.slug);
    const outcome = bot ? await this.take(bot, webhook) : 'UNKNOWN_BOT';
    this.metrics.countWebhook(bot?.slug, outcome);
    if (outcome in REFUSALS) {
      // The slug was chosen by the client: it is named only where it could be one.
      const slug = BotSlug.safeParse(webhook.slug).data;
      this.logger.warn({ event: 'webhook.refused', reason: outcome, bot: slug });
    }
    endTimer();
    return outcome;
  }

  private async take(bot: Bot, { random, signature, length, body }: Webhook): Promise<Outcome> {
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(body, length);
    } catch {
      return 'ABORTED'; // the client went away; nobody hears the answer
    }
    if (!bytes) return 'TOO_LARGE';
    if (!isSignedByTalk(bot.secret, { random, signature, body: bytes })) return 'BAD_SIGNATURE';
    const payload = parseJson(bytes);
    return payload ? this.record(bot, payload.value, random ?? '') : 'NOT_JSON';
  }

  private async record(bot: Bot, payload: unknown, random: string): Promise<Outcome> {
    const interpretation = interpretPayload(payload);
    if ('ignored' in interpretation) {
      this.logger.info({ event: 'webhook.ignored', reason: interpretation.ignored, bot: bot.slug });
      return interpretation.ignored;
    }
    const { event } = interpretation;
    const about = {
      bot: bot.slug,
      room: event.room,
      kind: event.kind,
      messageId: 'messageId' in event ? event.messageId : undefined,
    };
    try {
      const messageId = streamMessageId(event, bot, random);
      const stored = await this.events.store(
        await attestEvent(this.signer, event, bot, { atMs: this.now(), random }),
        messageId,
      );
      this.logger.info({ event: 'webhook.stored', ...about, ...stored });
      if (stored.where === 'spool') return 'SPOOLED';
      return stored.duplicate ? 'DUPLICATE' : 'STORED';
    } catch (error) {
      this.logger.error({ event: 'webhook.not-stored', ...about, ...describeError(error) });
      return 'NOT_STORED';
    }
  }
}

const parseJson = (bytes: Buffer): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined; // the parser's message would quote the text
  }
};
