import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call to the bot API as it arrived. */
export interface BotRequest {
  readonly method: string;
  readonly path: string;
  /** The room's token. */
  readonly room: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    message?: string;
    reaction?: string;
    replyTo?: number;
    referenceId?: string;
    silent?: boolean;
  };
}

export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
}

/** Talk's bot API as far as a client can tell, with answers of the test's choice. */
export class FakeTalk {
  readonly requests: BotRequest[] = [];
  /** Highest number of calls that were in hand for one room at once. */
  mostAtOnce = 0;
  answer: (request: BotRequest) => FakeAnswer = () => ({ status: 201 });
  private server: Server | undefined;
  private readonly inHand = new Map<string, number>();
  private port = 0;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const received: BotRequest = {
          method: request.method ?? '',
          path,
          room: /\/bot\/([^/]*)\//.exec(path)?.[1] ?? '',
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as BotRequest['body'],
        };
        const leave = this.enter(received);
        const { status, headers, after } = this.answer(received);
        void Promise.resolve(after).then(() => {
          leave();
          response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
          response.end('{"ocs":{"meta":{"status":"ok","statuscode":201,"message":"OK"},"data":null}}');
        });
      });
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  /** Refuses connections until `start` is called again, which takes the same port. */
  async stop(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    this.server?.closeAllConnections();
    await closed;
  }

  /** With a sub-folder, as many installations have one. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/nextcloud`;
  }

  /** The messages that stand in a room, in order. */
  messagesIn(room: string): string[] {
    return this.requests.filter((request) => request.room === room).map(({ body }) => body.message ?? '');
  }

  private enter(request: BotRequest): () => void {
    this.requests.push(request);
    const { room } = request;
    const atOnce = (this.inHand.get(room) ?? 0) + 1;
    this.inHand.set(room, atOnce);
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    return () => this.inHand.set(room, (this.inHand.get(room) ?? 1) - 1);
  }
}
