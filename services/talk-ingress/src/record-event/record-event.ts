import { describeError } from '@nuqloud/platform';
import type { Logger, TokenSigner } from '@nuqloud/platform';
import { attestEvent } from '../attest-event/attest-event';
import type { Bot } from '../bots/bot-directory';
import { interpretPayload } from '../domain/interpret-payload';
import type { Ignored, TalkEvent } from '../domain/interpret-payload';
import { streamMessageId } from '../domain/stream-message-id';
import type { Door, RoomDoors } from '../room-doors/room-doors';
import type { StoreEvent } from '../store-event/store-event';

export type Recorded = 'STORED' | 'SPOOLED' | 'DUPLICATE' | Ignored | 'NOT_JSON' | 'NOT_STORED';

/** One payload of Talk, proved to come from it. */
export interface Told {
  readonly bot: Bot;
  readonly through: Door;
  readonly body: Buffer;
  /** 64 characters that no other delivery has: they tell a repeated request from a repeated deed. */
  readonly random: string;
}

/** Attests what Talk told and stores it: once this returns STORED or SPOOLED, it is never lost. */
export class RecordEvent {
  constructor(
    private readonly signer: TokenSigner,
    private readonly events: StoreEvent,
    private readonly doors: Pick<RoomDoors, 'came'>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects. */
  async record(told: Told): Promise<Recorded> {
    const payload = parseJson(told.body);
    if (!payload) return 'NOT_JSON';
    const { bot } = told;
    const interpretation = interpretPayload(payload.value);
    if ('ignored' in interpretation) {
      this.logger.info({ event: 'webhook.ignored', reason: interpretation.ignored, bot: bot.slug });
      return interpretation.ignored;
    }
    const { event } = interpretation;
    await this.keepDoor(told, event);
    return this.store(event, told);
  }

  /** An answer must find the door; but Talk's own webhook waits for no database, and is the rule. */
  private async keepDoor({ bot, through }: Told, event: TalkEvent): Promise<void> {
    if (!bot.isAppBot) return;
    const kept = this.doors.came(through, bot, event);
    if (through === 'appapi') await kept;
  }

  private async store(event: TalkEvent, { bot, random }: Told): Promise<Recorded> {
    const about = {
      bot: bot.slug,
      room: event.room,
      kind: event.kind,
      messageId: 'messageId' in event ? event.messageId : undefined,
    };
    try {
      const messageId = streamMessageId(event, bot, random);
      const attested = await attestEvent(this.signer, event, bot, { atMs: this.now(), random });
      const stored = await this.events.store(attested, messageId);
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
