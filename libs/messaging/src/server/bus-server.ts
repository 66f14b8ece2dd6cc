import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Server } from '@nestjs/microservices';
import type { BroadcastContract, EventContract, RequestContract, StreamContract } from '@nuqloud/contracts';
import { describeError, errorCode } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { Msg, Service, Subscription } from 'nats';
import { lastValueFrom } from 'rxjs';
import type { Bus } from '../client/bus';
import { BUS_ERRORS } from '../errors';
import { decodeBody } from '../wire/body';
import { fromHeaders } from '../wire/message-context';
import { requireSameAsSubject, subjectPattern } from '../wire/subject';
import { answerRequest } from './answer-request';
import { EndpointStatistics } from './endpoint-statistics';
import { CONTRACT } from './handlers';
import type { HandlerExtras } from './handlers';
import { InFlightLimit } from './in-flight-limit';
import { StreamConsumer } from './stream-consumer';

export interface BusServerOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly version: string;
  readonly description: string;
  /** Fill the subject patterns, e.g. `{ provider: 'files' }`. */
  readonly params?: Readonly<Record<string, string>>;
  /** Requests in hand at once. */
  readonly maxInFlight?: number;
}

/** Calls the decorated method with a parsed message. */
export type Invoke = (message: unknown, context: unknown) => Promise<unknown>;

const MAX_IN_FLIGHT = 64;
/** Broadcasts ask "what can you do?" and must be heard while long requests fill the service. */
const MAX_BROADCASTS = 8;
/** Events beyond it are left out: they only say sooner what is asked for again anyway. */
const MAX_EVENTS = 32;
const WAITING_PER_PLACE = 8;
const DEFAULT_EVENT_MS = 60_000;

/**
 * NestJS transport strategy over core NATS and JetStream. Every replica registers with the NATS
 * Services API under its service's name, which is its queue group too.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly requests: InFlightLimit;
  private readonly broadcasts = new InFlightLimit(MAX_BROADCASTS, MAX_BROADCASTS * WAITING_PER_PLACE);
  private readonly events = new InFlightLimit(MAX_EVENTS, MAX_EVENTS * WAITING_PER_PLACE);
  private readonly statistics = new Map<string, EndpointStatistics>();
  private readonly subscriptions: Subscription[] = [];
  private readonly consumers: StreamConsumer[] = [];
  private service: Service | undefined;

  constructor(private readonly options: BusServerOptions) {
    super();
    const max = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.requests = new InFlightLimit(max, max * WAITING_PER_PLACE);
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  /**
   * Takes nothing new, finishes what is in hand. The connection stays open for the answers. While the server is
   * away there is nothing to take and nobody to answer, which is no reason not to end.
   */
  async close(): Promise<void> {
    await Promise.allSettled([
      this.service?.stop(),
      ...this.subscriptions.map((subscription) => subscription.drain()),
      ...this.consumers.map((consumer) => consumer.stop()),
    ]);
    await Promise.all([this.requests.drained(), this.broadcasts.drained(), this.events.drained()]);
    await Promise.allSettled([this.options.bus.connection.flush()]);
  }

  on(): never {
    throw new Error('The bus emits no transport events.');
  }

  unwrap<T>(): T {
    return this.options.bus.connection as T;
  }

  private async start(): Promise<void> {
    const { bus, version, description } = this.options;
    this.service = await bus.connection.services.add({
      name: bus.service,
      version,
      description,
      // The library's default queue is the same for every service: of all who share a subject only one would be asked.
      queue: bus.service,
      statsHandler: (endpoint) => Promise.resolve(this.statistics.get(endpoint.subject)?.numbers ?? null),
    });
    void this.watchService(this.service);
    for (const [name, handler] of this.messageHandlers) await this.serve(name, handler);
    await bus.connection.flush();
  }

  /** The library ends all endpoints when the server takes one of them away. */
  private async watchService(service: Service): Promise<void> {
    const { bus } = this.options;
    const failure = await service.stopped;
    if (!failure || bus.connection.isClosed()) return;
    bus.subscriptionLost({ of: bus.service, code: errorCode(failure) });
  }

  private async serve(name: string, handler: MessageHandler): Promise<void> {
    const contract = (handler.extras as HandlerExtras | undefined)?.[CONTRACT];
    if (!contract)
      throw new Error(`The handler of ${name} has no contract: use OnRequest, OnEvent or OnStream.`);
    const invoke: Invoke = async (message, context) =>
      lastValueFrom(this.transformToObservable(await handler(message, context)), { defaultValue: undefined });
    switch (contract.kind) {
      case 'request':
      case 'broadcast':
        return this.serveRequests(contract, invoke);
      case 'event':
        return this.hearEvents(contract, invoke);
      case 'stream':
        return this.consume(contract, invoke);
    }
  }

  private serveRequests(contract: RequestContract | BroadcastContract, invoke: Invoke): void {
    const endpoint = contract.name.replaceAll('.', '-');
    const subject = subjectPattern(contract.subject, this.options.params ?? {});
    const statistics = new EndpointStatistics();
    this.statistics.set(subject, statistics);
    const limit = contract.kind === 'broadcast' ? this.broadcasts : this.requests;
    const { bus, logger } = this.options;
    this.service?.addEndpoint(endpoint, {
      subject,
      queue: bus.service,
      metadata: { contract: contract.name },
      // The library keeps a failure to itself: `watchService` hears of it.
      handler: (_failure, message) => {
        void answerRequest({ contract, message, invoke, limit, statistics, logger, service: bus.service });
      },
    });
  }

  private hearEvents(contract: EventContract, invoke: Invoke): void {
    const subject = subjectPattern(contract.subject, this.options.params ?? {});
    const callback = (failure: Error | null, message: Msg) => {
      if (failure) return this.options.bus.subscriptionLost({ subject, code: errorCode(failure) });
      void this.hear(contract, message, invoke);
    };
    this.subscriptions.push(this.options.bus.connection.subscribe(subject, { callback }));
  }

  private async hear(contract: EventContract, message: Msg, invoke: Invoke): Promise<void> {
    try {
      await this.events.run(async () => {
        const body = decodeBody(contract.name, contract.body, message.data, BUS_ERRORS.INVALID_REQUEST);
        requireSameAsSubject(contract.subject, message.subject, body);
        await invoke(body, fromHeaders(message.headers, Date.now() + DEFAULT_EVENT_MS));
      });
    } catch (error) {
      this.options.logger.warn({
        event: 'bus.event-failed',
        contract: contract.name,
        ...describeError(error),
      });
    }
  }

  private async consume(contract: StreamContract, invoke: Invoke): Promise<void> {
    const consumer = new StreamConsumer(contract, this.options.bus, this.options.logger, invoke);
    await consumer.start();
    this.consumers.push(consumer);
  }
}
