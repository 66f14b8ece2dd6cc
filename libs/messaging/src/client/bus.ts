import type {
  BroadcastContract,
  EventContract,
  RequestContract,
  StreamContract,
  SubjectParams,
} from '@nuqloud/contracts';
import type { Logger } from '@nuqloud/platform';
import type { JetStreamClient, NatsConnection } from 'nats';
import type { z } from 'zod';
import { BUS_ERRORS, BusError } from '../errors';
import { decodeBody, encodeBody } from '../wire/body';
import { errorOfReply } from '../wire/error-reply';
import { newContext, toHeaders } from '../wire/message-context';
import type { MessageContext } from '../wire/message-context';
import { subjectOf } from '../wire/subject';
import { collect } from './collect';
import type { Collected, CollectOptions } from './collect';
import type { BusConnectionOptions } from './connect';
import { ConnectionState } from './connection-state';
import { requestError } from './request-error';
import { waitForNats } from './wait-for-nats';

export interface SendOptions {
  /** The message that caused this one: its correlation id, trace and deadline are handed on. */
  readonly context?: MessageContext;
  /** Shorter or longer than the contract's default, never beyond the context's deadline. */
  readonly timeoutMs?: number;
}

/**
 * One service's access to the bus. Everything it sends is typed by a contract, and whatever
 * goes wrong with one message is a `BusError` or `RemoteError` of that message alone.
 */
export class Bus {
  private readonly jetstream: JetStreamClient;
  private readonly state: ConnectionState;

  private constructor(
    readonly connection: NatsConnection,
    readonly service: string,
    logger: Logger | undefined,
  ) {
    this.jetstream = connection.jetstream();
    this.state = new ConnectionState(connection, logger);
  }

  /**
   * Waits for a server that lets us in. The logger is told while none does, and when one is lost later.
   * @throws BusError REFUSED, INVALID_URL: waiting does not help
   */
  static async connect(options: BusConnectionOptions, logger?: Logger): Promise<Bus> {
    return new Bus(await waitForNats(options, logger), options.service, logger);
  }

  /** Asks one service and waits for its answer. */
  async request<S extends string, Q extends z.ZodType, A extends z.ZodType>(
    contract: RequestContract<S, Q, A>,
    params: SubjectParams<S>,
    body: z.input<Q>,
    options: SendOptions = {},
  ): Promise<z.output<A>> {
    const subject = subjectOf(contract.subject, params);
    const data = encodeBody(contract.name, body);
    const context = this.contextFor(contract.timeoutMs, options);
    const remaining = context.deadline - Date.now();
    if (remaining <= 0)
      throw new BusError(BUS_ERRORS.TIMEOUT, `${contract.name} was asked after its deadline.`);
    try {
      const reply = await this.connection.request(subject, data, {
        timeout: remaining,
        headers: toHeaders(context),
      });
      const refused = errorOfReply(contract.name, reply);
      if (refused) throw refused;
      return decodeBody(contract.name, contract.reply, reply.data, BUS_ERRORS.INVALID_REPLY);
    } catch (error) {
      throw requestError(contract.name, error);
    }
  }

  /** Asks everybody who listens. Never fails because of an answer; see `Collected`. */
  async collect<S extends string, Q extends z.ZodType, A extends z.ZodType>(
    contract: BroadcastContract<S, Q, A>,
    params: SubjectParams<S>,
    body: z.input<Q>,
    options: CollectOptions<z.output<A>> & Pick<SendOptions, 'context'>,
  ): Promise<Collected<z.output<A>>> {
    const question = {
      subject: subjectOf(contract.subject, params),
      body: encodeBody(contract.name, body),
      context: this.contextFor(options.maxWaitMs, options),
    };
    try {
      return await collect(this.connection, this.service, contract, question, options);
    } catch (error) {
      throw requestError(contract.name, error);
    }
  }

  /** Tells whoever listens now. */
  publish<S extends string, B extends z.ZodType>(
    contract: EventContract<S, B>,
    params: SubjectParams<S>,
    body: z.input<B>,
    options: SendOptions = {},
  ): void {
    const subject = subjectOf(contract.subject, params);
    const context = this.contextFor(EVENT_TTL_MS, options);
    try {
      this.connection.publish(subject, encodeBody(contract.name, body), { headers: toHeaders(context) });
    } catch (error) {
      throw requestError(contract.name, error);
    }
  }

  /**
   * Stores a message in its stream and returns after the server's acknowledgement.
   * @param options.messageId the same id within the stream's duplicate window is stored once
   */
  async append<S extends string, B extends z.ZodType>(
    contract: StreamContract<S, B>,
    params: SubjectParams<S>,
    body: z.input<B>,
    options: SendOptions & { messageId: string; timeoutMs: number },
  ): Promise<{ sequence: number; duplicate: boolean }> {
    const subject = subjectOf(contract.subject, params);
    const context = this.contextFor(options.timeoutMs, options);
    try {
      const ack = await this.jetstream.publish(subject, encodeBody(contract.name, body), {
        msgID: options.messageId,
        timeout: options.timeoutMs,
        headers: toHeaders(context),
        expect: { streamName: contract.stream },
      });
      return { sequence: ack.seq, duplicate: ack.duplicate };
    } catch (error) {
      throw requestError(contract.name, error);
    }
  }

  /** Whether the server can be reached now. */
  get connected(): boolean {
    return this.state.connected;
  }

  /** Whether this service can do its part: the server can be reached and hears it wherever it listens. For readiness. */
  get ready(): boolean {
    return this.state.ready;
  }

  /** For the server side: something it listens on is gone, and will not come back before a new start. */
  subscriptionLost(what: Readonly<Record<string, string>>): void {
    this.state.lost(what);
  }

  /** Hands over what was sent; while the server is away, what was not is lost with the connection. */
  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    await this.connection.drain();
    // Where the server is away, draining ends without having closed, and the client would dial for ever.
    await this.connection.close();
  }

  private contextFor(defaultMs: number, options: SendOptions): MessageContext {
    const deadline = Date.now() + (options.timeoutMs ?? defaultMs);
    const { context } = options;
    return context ? { ...context, deadline: Math.min(deadline, context.deadline) } : newContext(deadline);
  }
}

/** Events have no answer to wait for; their headers still say until when they matter. */
const EVENT_TTL_MS = 60_000;
