import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Logger } from '@nuqloud/platform';
import type { BotDirectory } from '../bots/bot-directory';
import type { IngressMetrics } from '../observe/ingress-metrics';
import { readBody } from '../receive-webhook/read-body';
import { isRefusal } from '../receive-webhook/receive-webhook';
import type { Outcome } from '../receive-webhook/receive-webhook';
import type { RecordEvent } from '../record-event/record-event';

export interface AppMessage {
  readonly instance: string;
  /** Nextcloud's name of the request, where it has one. */
  readonly requestId: string | undefined;
  readonly length: string | undefined;
  readonly body: Readable | undefined;
}

/**
 * Takes what Talk tells the bot that is registered through AppAPI. AppAPI has checked Talk's signature and encoded the
 * body anew (with `appId` and `route` in it), so there is none to check here: the caller was authenticated before.
 */
export class ReceiveAppMessage {
  constructor(
    private readonly bots: Pick<BotDirectory, 'ofApp'>,
    private readonly events: RecordEvent,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
  ) {}

  /** Never rejects. */
  async receive(message: AppMessage): Promise<Outcome> {
    const endTimer = this.metrics.webhookSeconds.startTimer();
    const bot = this.bots.ofApp(message.instance);
    const outcome = bot ? await this.take(bot, message) : 'UNKNOWN_BOT';
    this.metrics.countWebhook(bot?.slug, outcome);
    const { instance } = message;
    if (isRefusal(outcome)) this.logger.warn({ event: 'app-message.refused', reason: outcome, instance });
    endTimer();
    return outcome;
  }

  private async take(
    bot: NonNullable<ReturnType<BotDirectory['ofApp']>>,
    { requestId, length, body }: AppMessage,
  ): Promise<Outcome> {
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(body, length);
    } catch {
      return 'ABORTED'; // the client went away; nobody hears the answer
    }
    if (!bytes) return 'TOO_LARGE';
    return this.events.record({ bot, through: 'appapi', body: bytes, random: randomOf(requestId) });
  }
}

/** Talk's random does not come this far; Nextcloud's name of the request tells a repetition as well. */
const randomOf = (requestId: string | undefined): string =>
  requestId === undefined
    ? randomBytes(32).toString('hex')
    : createHash('sha256').update(requestId).digest('hex');
