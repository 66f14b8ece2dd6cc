import type { Logger } from '@nuqloud/platform';
import { Events } from 'nats';
import type { NatsConnection } from 'nats';

/** What has become of a connection that once stood. It ends with the connection. */
export class ConnectionState {
  private reachable = true;
  private deaf = false;
  private lastError: unknown;

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger | undefined,
  ) {
    void this.watch();
  }

  /** Whether the server can be reached now. */
  get connected(): boolean {
    return this.reachable && !this.connection.isClosed();
  }

  /** Whether it can be reached and hears us wherever we listen. */
  get ready(): boolean {
    return this.connected && !this.deaf;
  }

  /** A subscription that the server took away does not come back by itself: what it was for needs a new start. */
  lost(what: Readonly<Record<string, string>>): void {
    this.deaf = true;
    this.logger?.error({ event: 'bus.subscription-lost', ...what });
  }

  private async watch(): Promise<void> {
    for await (const { type, data } of this.connection.status()) {
      if (type === Events.Disconnect) this.change(false);
      if (type === Events.Reconnect) this.change(true);
      if (type === Events.Error) this.tell(data);
    }
  }

  /** The library tells of each attempt that fails. */
  private change(reachable: boolean): void {
    if (reachable === this.reachable) return;
    this.reachable = reachable;
    if (reachable) this.logger?.info({ event: 'bus.connected' });
    else this.logger?.warn({ event: 'bus.disconnected' });
    this.lastError = undefined;
  }

  /** What the server complains of, once in a row: a login that is refused is tried again four times a second. */
  private tell(code: unknown): void {
    if (code === this.lastError) return;
    this.lastError = code;
    this.logger?.warn({ event: 'bus.error', code });
  }
}
