import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResolvedIdentity } from '@nuqloud/contracts';
import { generateKeys, TokenSigner } from '@nuqloud/platform';
import { FilesClient, GatewayClient } from '../src/index';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Breaks the connection off after the body. */
  readonly cutOff?: boolean;
}

export interface SeenRequest {
  readonly method: string;
  /** Below Nextcloud's base URL, or the gateway's own. */
  readonly path: string;
  /** As it was sent. */
  readonly sentPath: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: SeenRequest) => Reply;

/** A gateway that passes nothing on: the test answers as gateway and as Nextcloud. */
export class FakeGateway {
  readonly seen: SeenRequest[] = [];
  identity: ResolvedIdentity = { v: 1, mode: 'user', profile: null, uid: 'alice' };
  /** Answers everything but `/resolve`, unless that is overridden too. */
  answer: Answer = () => ({ status: 404 });
  /** Ends the connection of a request to Nextcloud without any answer. */
  dropUnanswered = false;
  resolve: Answer = () => ({ status: 200, body: JSON.stringify(this.identity) });

  private readonly server = createServer((request, response) => void this.handle(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What reached Nextcloud. */
  get asked(): SeenRequest[] {
    return this.seen.filter(({ path }) => path !== '/resolve');
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: (incoming.url ?? '').replace(/^\/nextcloud\/main(?=\/)/, ''),
      sentPath: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(parts).toString('utf8'),
    };
    this.seen.push(request);
    if (this.dropUnanswered && request.path !== '/resolve') {
      response.destroy();
      return;
    }
    const reply = request.path === '/resolve' ? this.resolve(request) : this.answer(request);
    response.writeHead(reply.status, reply.headers);
    const body = typeof reply.body === 'string' ? [reply.body] : (reply.body ?? []);
    try {
      if (reply.cutOff) {
        for await (const part of Readable.from(body)) response.write(part);
        response.destroy();
      } else {
        await pipeline(Readable.from(body instanceof Uint8Array ? [body] : body), response);
      }
    } catch {
      // The client stopped reading, which some tests are about.
    }
  }
}

/** A client of that gateway, as the tool service would make it for one call. */
export const clientOf = async (
  gateway: FakeGateway,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ gateway: GatewayClient; files: FilesClient }> => {
  const keys = await generateKeys('tool-files');
  const client = new GatewayClient({
    url: gateway.url,
    signer: new TokenSigner('tool-files', keys.signing),
    instance: 'main',
    attestation: 'the.attestation.token',
    tool: 'files_list',
    signal,
  });
  return { gateway: client, files: new FilesClient(client) };
};
