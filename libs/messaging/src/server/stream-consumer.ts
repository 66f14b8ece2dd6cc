import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamContract } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { Consumer, ConsumerMessages, JsMsg } from 'nats';
import type { Bus } from '../client/bus';
import { BUS_ERRORS, BusError } from '../errors';
import { decodeBody } from '../wire/body';
import { fromHeaders } from '../wire/message-context';
import { requireSameAsSubject } from '../wire/subject';
import type { Invoke } from './bus-server';
import { DeadLetterWriter } from './dead-letter-writer';
import type { StreamContext } from './handlers';
import { redelivery } from './redelivery';

const REOPEN_AFTER_MS = 1_000;
const HANDLING_MS = 60_000;
const NOT_NOTED_DELAY_MS = 5_000;
/** A request for the next message dies with the server it was sent to; it is made anew at the latest after this. */
const NEXT_WITHIN_MS = 3_000;
/** The server forgets a message in hand after its ack wait unless it hears that work goes on. */
const HEARTBEAT_MS = 1_500;

/** Reads a stream through the service's durable consumer, one message after another. */
export class StreamConsumer {
  private consumer: Consumer | undefined;
  /** The request that waits for the next message. */
  private next: ConsumerMessages | undefined;
  private stopping = false;
  private loop: Promise<void> | undefined;
  private readonly deadLetters: DeadLetterWriter;

  constructor(
    private readonly contract: StreamContract,
    private readonly bus: Bus,
    private readonly logger: Logger,
    private readonly invoke: Invoke,
  ) {
    this.deadLetters = new DeadLetterWriter(bus);
  }

  /** @throws BusError NOT_SET_UP when the stream, its consumer or the one for dead letters does not exist */
  async start(): Promise<void> {
    try {
      this.consumer = await this.open();
    } catch (cause) {
      const place = `stream ${this.contract.stream}, consumer ${this.bus.service}`;
      throw new BusError(
        BUS_ERRORS.NOT_SET_UP,
        `The bus has no ${place}; \`npm run nuqloud -- init\` makes it.`,
        cause,
      );
    }
    await this.deadLetters.require();
    this.loop = this.read();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.next?.close();
    await this.loop;
  }

  private open(): Promise<Consumer> {
    return this.bus.connection.jetstream().consumers.get(this.contract.stream, this.bus.service);
  }

  /**
   * One request for each message. One request for many, renewed on the same inbox, would leave a way back in the server
   * for each renewal, because the stream is in another account.
   */
  private async read(): Promise<void> {
    while (!this.stopping) {
      try {
        this.consumer ??= await this.open();
        this.next = await this.consumer.fetch({ max_messages: 1, expires: NEXT_WITHIN_MS });
        for await (const message of this.next) await this.take(message);
      } catch (error) {
        this.logger.warn({ event: 'bus.stream-lost', contract: this.contract.name, ...describeError(error) });
        this.consumer = undefined;
        if (!this.stopping) await sleep(REOPEN_AFTER_MS);
      }
    }
  }

  private async take(message: JsMsg): Promise<void> {
    if (this.stopping) return; // not acknowledged: another replica, or this one after its restart, gets it
    const heartbeat = setInterval(() => message.working(), HEARTBEAT_MS);
    try {
      const body = decodeBody(
        this.contract.name,
        this.contract.body,
        message.data,
        BUS_ERRORS.INVALID_REQUEST,
      );
      requireSameAsSubject(this.contract.subject, message.subject, body);
      await this.invoke(body, this.contextOf(message));
      message.ack();
    } catch (error) {
      await this.refuse(message, error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async refuse(message: JsMsg, error: unknown): Promise<void> {
    const decision = redelivery(error, message.info.redeliveryCount);
    const what = {
      contract: this.contract.name,
      sequence: message.seq,
      delivery: message.info.redeliveryCount,
    };
    if (decision.again) {
      this.logger.warn({ event: 'bus.message-again', ...what, ...decision, ...describeError(error) });
      message.nak(decision.delayMs);
    } else {
      await this.giveUp(message, error, what);
    }
  }

  /** Only what is noted for good is given up: until then it holds its place. */
  private async giveUp(message: JsMsg, error: unknown, what: object): Promise<void> {
    try {
      await this.deadLetters.write(this.contract, message, error);
      this.logger.error({ event: 'bus.message-dead', ...what, ...describeError(error) });
      message.term();
    } catch (failure) {
      this.logger.error({ event: 'bus.message-not-given-up', ...what, ...describeError(failure) });
      message.nak(NOT_NOTED_DELAY_MS);
    }
  }

  private contextOf(message: JsMsg): StreamContext {
    return {
      ...fromHeaders(message.headers, Date.now() + HANDLING_MS),
      deadline: Date.now() + HANDLING_MS,
      sequence: message.seq,
      delivery: message.info.redeliveryCount,
    };
  }
}
