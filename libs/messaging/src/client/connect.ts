import { connect, nkeyAuthenticator } from 'nats';
import type { NatsConnection } from 'nats';

export interface BusConnectionOptions {
  /** Comma-separated nats:// URLs. */
  readonly url: string;
  /** Who connects; also names its inbox prefix, queue group and durable consumers. */
  readonly service: string;
  readonly natsSeed: string;
  /** Whether to wait for a server that lets us in (default); a command that runs once fails instead. */
  readonly wait?: boolean;
}

/** A connection that waits for the server at start and comes back for ever. */
export const connectToNats = ({
  url,
  service,
  natsSeed,
  wait = true,
}: BusConnectionOptions): Promise<NatsConnection> =>
  connect({
    servers: url.split(',').map((server) => server.trim()),
    name: service,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(natsSeed)),
    // Nobody may read another service's replies: each has a prefix of its own that its permissions name.
    inboxPrefix: inboxPrefix(service),
    waitOnFirstConnect: wait,
    maxReconnectAttempts: -1,
    // A busy server may time an honest login out; the library would give up for good after two such refusals.
    ignoreAuthErrorAbort: wait,
    reconnectTimeWait: 250,
    // A stack per request costs a third of the throughput and tells nothing that the error's code does not.
    noAsyncTraces: true,
  });

export const inboxPrefix = (service: string): string => `_INBOX_${service}`;
