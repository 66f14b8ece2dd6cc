import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface BotServer {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** What it answers next; null lets the caller wait for ever. */
  status: number | null;
  /** The parsed bodies of what has arrived. */
  activities(): Record<string, unknown>[];
  close(): Promise<void>;
}

/** A bot that keeps what it gets. */
export async function startBotServer(): Promise<BotServer> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (bot.status !== null) response.writeHead(bot.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bot: BotServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    status: 200,
    activities: () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return bot;
}
