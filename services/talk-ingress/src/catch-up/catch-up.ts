import { ATTESTATION_TTL_S } from '@nuqloud/contracts';
import type { HistoryMessage } from '@nuqloud/contracts';
import { AppError, describeError, waitUnlessStopped } from '@nuqloud/platform';
import type { Logger, TokenSigner } from '@nuqloud/platform';
import { attestEvent } from '../attest-event/attest-event';
import type { BotDirectory } from '../bots/bot-directory';
import { historyPayload } from '../domain/history-payload';
import { interpretPayload } from '../domain/interpret-payload';
import { streamMessageId } from '../domain/stream-message-id';
import type { KnownMessages, KnownUpTo } from '../ports/known-messages';
import type { RoomHistory } from '../ports/room-history';
import type { StoreEvent } from '../store-event/store-event';
import type { NoteKnown } from './note-known';

const RETRY_MS = 2_000;
/** What was written earlier could not be attested any more when it is read. */
const OLDEST_MS = ATTESTATION_TTL_S * 1_000;

/** Takes what was written while nobody listened as if Talk told it now, where a member reads the room for us. */
export class CatchUp {
  private readonly stopping = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly known: KnownMessages,
    private readonly history: RoomHistory,
    private readonly bots: Pick<BotDirectory, 'find'>,
    private readonly signer: TokenSigner,
    private readonly events: StoreEvent,
    private readonly noteKnown: Pick<NoteKnown, 'start'>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  start(): void {
    this.work = this.readAll();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.work;
  }

  private async readAll(): Promise<void> {
    try {
      const rooms = byRoom(await this.known.all());
      await Promise.all(rooms.map((marks) => this.readRoom(marks)));
      // Not before: a mark beyond what is not read yet would hide it after a crash.
      if (!this.stopping.signal.aborted) this.noteKnown.start();
    } catch (error) {
      this.logger.error({ event: 'history.not-read', ...describeError(error) });
    }
  }

  /** Until it could be read, or would tell nothing that is young enough. */
  private async readRoom(marks: readonly KnownUpTo[]): Promise<void> {
    const [{ instance, room } = { instance: '', room: '' }] = marks;
    const giveUpAt = this.now() + OLDEST_MS;
    while (!this.stopping.signal.aborted) {
      try {
        return await this.readPages(instance, room, marks);
      } catch (error) {
        const again = error instanceof AppError && error.retryable && this.now() < giveUpAt;
        const level = again ? 'debug' : 'info';
        this.logger[level]({ event: 'history.not-read', instance, room, again, ...describeError(error) });
        if (!again) return;
      }
      await waitUnlessStopped(RETRY_MS, this.stopping.signal);
    }
  }

  private async readPages(instance: string, room: string, marks: readonly KnownUpTo[]): Promise<void> {
    let taken = 0;
    let next: string | null = String(
      marks.reduce((least, { message }) => (message < least ? message : least), MAX),
    );
    while (next !== null && !this.stopping.signal.aborted) {
      const page = await this.history.after(instance, room, next);
      for (const message of page.messages) taken += await this.take(message, room, marks);
      next = page.next;
    }
    this.logger.info({ event: 'history.read', instance, room, taken });
  }

  /** @returns for how many bots it was news */
  private async take(message: HistoryMessage, room: string, marks: readonly KnownUpTo[]): Promise<number> {
    // The history counts in whole seconds; what was written after a question, in its second, is an answer to it still.
    const atMs = Math.min(message.timestamp * 1_000 + 999, this.now());
    if (atMs < this.now() - OLDEST_MS) return 0;
    const payload = historyPayload(message, room);
    if (!payload) return 0;
    const interpretation = interpretPayload(payload);
    if ('ignored' in interpretation) return 0;
    let taken = 0;
    for (const mark of marks) {
      const bot = this.bots.find(mark.bot);
      if (bot?.instance !== mark.instance || BigInt(message.id) <= mark.message) continue;
      const arrival = { atMs, random: '', fromHistory: true };
      const event = await attestEvent(this.signer, interpretation.event, bot, arrival);
      await this.events.store(event, streamMessageId(interpretation.event, bot, ''));
      taken += 1;
    }
    return taken;
  }
}

const byRoom = (marks: readonly KnownUpTo[]): KnownUpTo[][] => {
  const rooms = new Map<string, KnownUpTo[]>();
  for (const mark of marks) {
    const name = `${mark.instance}/${mark.room}`;
    rooms.set(name, [...(rooms.get(name) ?? []), mark]);
  }
  return [...rooms.values()];
};

/** Beyond every id of a message. */
const MAX = BigInt('9'.repeat(18));
