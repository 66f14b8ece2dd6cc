import { DEAD_LETTER_STREAM, DeadLetter, DeadLetterReplayed } from '@nuqloud/contracts';
import type { DeadLetterBody, DeadLetterReplayedBody } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { headers, NatsError } from 'nats';
import type { JetStreamManager, NatsConnection, StoredMsg } from 'nats';
import { MESSAGE_HEADERS } from '../wire/message-context';
import { encodeBody } from '../wire/body';
import { requireSameAsSubject } from '../wire/subject';

export interface ListedDeadLetter extends DeadLetterBody {
  /** `<stream>-<sequence>`. */
  readonly id: string;
  /** Its message can be put back; was put back; is not kept any more. */
  readonly state: 'waiting' | 'replayed' | 'gone';
}

export const DEAD_LETTER_ERRORS = {
  UNKNOWN: 'DEAD_LETTER.UNKNOWN',
  REPLAYED: 'DEAD_LETTER.REPLAYED',
  GONE: 'DEAD_LETTER.GONE',
} as const;

const NO_MESSAGE = 404;
const ACK_TIMEOUT_MS = 5_000;

/** What consumers have given up, for whoever may read and fill streams: the provisioner. */
export class DeadLetterQueue {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
  ) {}

  static async open(connection: NatsConnection): Promise<DeadLetterQueue> {
    return new DeadLetterQueue(connection, await connection.jetstreamManager({ checkAPI: false }));
  }

  /** Oldest first, each message once; what is no letter is left out. */
  async list(): Promise<ListedDeadLetter[]> {
    const letters = new Map<string, DeadLetterBody>();
    const replayed = new Set<string>();
    for await (const message of this.stored(DEAD_LETTER_STREAM)) {
      const letter = parseLetter(message);
      if (letter) letters.set(idOf(letter), letter);
      const replay = parseReplay(message);
      if (replay) replayed.add(idOf(replay));
    }
    const oldest = await this.oldestOf(new Set([...letters.values()].map(({ stream }) => stream)));
    return [...letters].map(([id, letter]) => {
      const isKept = letter.sequence >= (oldest.get(letter.stream) ?? Infinity);
      return { ...letter, id, state: replayed.has(id) ? 'replayed' : isKept ? 'waiting' : 'gone' };
    });
  }

  /**
   * Puts the message at the end of its stream again, as it was, and notes that.
   * @returns the id that it would have were it given up again
   * @throws AppError REPLAYED, GONE
   */
  async replay({ id, state, stream, sequence, correlationId }: ListedDeadLetter): Promise<string> {
    if (state === 'replayed') {
      throw new AppError(DEAD_LETTER_ERRORS.REPLAYED, `${id} was put back before.`);
    }
    const message = await this.message(stream, sequence);
    if (!message) throw new AppError(DEAD_LETTER_ERRORS.GONE, `${id}: ${stream} does not keep it any more.`);
    const caused = headers();
    caused.set(MESSAGE_HEADERS.correlationId, correlationId);
    const { seq: replayedAs } = await this.connection.jetstream().publish(message.subject, message.data, {
      headers: caused,
      // Two administrators at once, or one after a crash, put it back once.
      msgID: `replay:${id}`,
      timeout: ACK_TIMEOUT_MS,
      expect: { streamName: stream },
    });
    const note = { v: 1, at: new Date().toISOString(), stream, sequence, replayedAs } as const;
    await this.connection
      .jetstream()
      .publish(DeadLetterReplayed.subject, encodeBody(DeadLetterReplayed.name, note), {
        msgID: `replayed:${id}`,
        timeout: ACK_TIMEOUT_MS,
        expect: { streamName: DEAD_LETTER_STREAM },
      });
    return idOf({ stream, sequence: replayedAs });
  }

  private async *stored(stream: string): AsyncGenerator<StoredMsg> {
    const { state } = await this.manager.streams.info(stream);
    for (let sequence = state.first_seq; state.messages > 0 && sequence <= state.last_seq; sequence += 1) {
      const message = await this.message(stream, sequence);
      if (message) yield message;
    }
  }

  private async message(stream: string, sequence: number): Promise<StoredMsg | undefined> {
    try {
      return await this.manager.streams.getMessage(stream, { seq: sequence });
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.code === NO_MESSAGE) return undefined;
      throw error;
    }
  }

  private async oldestOf(streams: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const oldest = new Map<string, number>();
    for (const stream of streams) {
      const { state } = await this.manager.streams.info(stream);
      if (state.messages > 0) oldest.set(stream, state.first_seq);
    }
    return oldest;
  }
}

const idOf = ({ stream, sequence }: { readonly stream: string; readonly sequence: number }): string =>
  `${stream}-${sequence}`;

/** Only what stands on the subject of the service that it names. */
const parseLetter = (message: StoredMsg): DeadLetterBody | undefined => {
  const letter = DeadLetter.body.safeParse(json(message)).data;
  if (!letter || message.subject === DeadLetterReplayed.subject) return undefined;
  try {
    requireSameAsSubject(DeadLetter.subject, message.subject, letter);
    return letter;
  } catch {
    return undefined; // a service wrote in another's name
  }
};

const parseReplay = (message: StoredMsg): DeadLetterReplayedBody | undefined =>
  message.subject === DeadLetterReplayed.subject
    ? DeadLetterReplayed.body.safeParse(json(message)).data
    : undefined;

const json = (message: StoredMsg): unknown => {
  try {
    return message.json();
  } catch {
    return undefined;
  }
};
