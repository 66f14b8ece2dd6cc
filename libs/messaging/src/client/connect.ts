import { connect, nkeyAuthenticator } from 'nats';
import type { NatsConnection } from 'nats';

export interface BusConnectionOptions {
  /** Comma-separated nats:// URLs. */
  readonly url: string;
  /** Who connects; also names its inbox prefix, queue group and durable consumers. */
  readonly service: string;
  readonly natsSeed: string;
}

/** A host that swallows packets is known as unreachable after this long. */
const DIAL_TIMEOUT_MS = 10_000;

/** Every inbox of the bus begins so. */
export const INBOX_PREFIX = '_INBOX_';

/**
 * Tries each server once. A connection that stands comes back for ever when it is lost.
 * @throws what the client library throws, for the last server
 */
export const connectToNats = ({ url, service, natsSeed }: BusConnectionOptions): Promise<NatsConnection> =>
  connect({
    servers: url.split(',').map((server) => server.trim()),
    name: service,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(natsSeed)),
    // Nobody may read another service's replies: each has a prefix of its own that its permissions name.
    inboxPrefix: inboxPrefix(service),
    timeout: DIAL_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    // A busy server may time an honest login out; the library would give up for good after two such refusals.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    // A stack per request costs a third of the throughput and tells nothing that the error's code does not.
    noAsyncTraces: true,
  });

export const inboxPrefix = (service: string): string => `${INBOX_PREFIX}${service}`;
