import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExAppRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ExAppServer {
  readonly url: string;
  readonly received: ExAppRequest[];
  /** What it answers to `GET /heartbeat` and the like; 200 with `{}` to everything else, null not at all. */
  readonly answers: Map<string, { status: number; body: object } | null>;
  close(): Promise<void>;
}

/** An external app that keeps what it is sent. */
export async function startExAppServer(): Promise<ExAppServer> {
  const received: ExAppRequest[] = [];
  const answers: ExAppServer['answers'] = new Map();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.get(`${method} ${path}`);
      if (answer === null) return;
      const { status, body } = answer ?? { status: 200, body: {} };
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
