import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate } from '../appapi/authenticate';
import { NOBODY, uidOf } from '../appapi/identity';
import type { Emulation } from '../emulation';
import { BodyTooLarge } from './exchange';
import type { Exchange, Reply } from './exchange';
import { faultReply } from './fault-reply';

export interface Answers {
  /** The control API and the chat page: not part of "Nextcloud", so neither recorded nor hit by faults. */
  operator(exchange: Exchange): Promise<Reply>;
  nextcloud(exchange: Exchange): Promise<Reply>;
  /** Headers on everything that "Nextcloud" answers. */
  nextcloudHeaders(): OutgoingHttpHeaders;
  /** Told about bugs of the emulator itself. */
  onError(error: unknown): void;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The HTTP side: takes the web root off the path, identifies the caller, writes the journal, applies faults. */
export function createEmulatorServer(emulation: Emulation, answers: Answers): Server {
  return createServer((request, response) => {
    handle(emulation, answers, request, response).catch((error: unknown) => {
      answers.onError(error);
      response.destroy();
    });
  });
}

async function handle(
  emulation: Emulation,
  answers: Answers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [rawPath, rawQuery] = splitOnce(request.url ?? '/', '?');
  const path = withoutWebRoot(rawPath, emulation.webRoot);
  const exchange = exchangeOf(emulation, request, response, path ?? rawPath, rawQuery);
  if (isOperatorPath(exchange.path)) {
    write(response, await orFailure(answers, answers.operator(exchange)));
  } else if (path === undefined) {
    write(response, { status: 404, body: `Nextcloud is at ${emulation.webRoot}/` });
  } else {
    await answerNextcloud(emulation, answers, exchange, response);
  }
}

async function answerNextcloud(
  emulation: Emulation,
  answers: Answers,
  exchange: Exchange,
  response: ServerResponse,
): Promise<void> {
  const { method, path } = exchange;
  const user = uidOf(exchange.identity);
  const record = emulation.requests.add(method, path, user, emulation.now());
  const startedAt = performance.now();
  const fault = emulation.faults.take({ method, path, user });
  if (fault?.delayMs) await delay(fault.delayMs, undefined, { ref: false });
  if (fault?.drop === true) return void response.destroy();
  const reply =
    fault?.status === undefined
      ? await orFailure(answers, answers.nextcloud(exchange))
      : faultReply(fault.status, path);
  if (fault?.drop === 'answer') return void response.destroy();
  record.status = reply.status;
  record.ms = performance.now() - startedAt;
  const headers = { ...answers.nextcloudHeaders(), ...reply.headers };
  write(response, { ...reply, headers }, method === 'HEAD');
}

/** A bug of the emulator becomes 500 here, and is told on the error output. */
async function orFailure(answers: Answers, reply: Promise<Reply>): Promise<Reply> {
  const headers = { 'Content-Type': 'application/json' };
  try {
    return await reply;
  } catch (error) {
    if (error instanceof BodyTooLarge)
      return { status: 413, headers, body: '{"message":"The body is too large"}' };
    answers.onError(error);
    return { status: 500, headers, body: '{"message":"The emulator failed: see its error output"}' };
  }
}

function exchangeOf(
  emulation: Emulation,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Exchange {
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
    identity: isOperatorPath(path) ? NOBODY : authenticate(emulation.world, request.headers, path),
    whenGone: () => {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      return gone.signal;
    },
    readBody: () => (body ??= readBody(request)),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, reply: Reply, withoutBody = false): void {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const headers: OutgoingHttpHeaders = { ...reply.headers };
  if (body && headers['Content-Length'] === undefined) headers['Content-Length'] = body.length;
  response.writeHead(reply.status, headers);
  response.end(withoutBody ? undefined : body);
}

function isOperatorPath(path: string): boolean {
  return path === '/' || path.startsWith('/_emulator/');
}

/** Undefined for a path outside the installation. */
function withoutWebRoot(path: string, webRoot: string): string | undefined {
  if (webRoot === '') return path;
  if (path === webRoot) return '/';
  return path.startsWith(`${webRoot}/`) ? path.slice(webRoot.length) : undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
