import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { ChatRequest } from './chat-request';
import { brokenRule } from './conversation-rules';
import type { ModelAnswer } from './model-answer';
import { writeAnswer } from './write-answer';

export interface ReceivedRequest {
  body: ChatRequest;
  headers: IncomingHttpHeaders;
}

export interface ModelServerOptions {
  /** The id under which the model shows itself, in the list of models and in each answer. */
  modelId: string;
  /** A random free one unless given. */
  port?: number | undefined;
  /** Decides on each request that keeps the rules of the protocol. */
  answer(request: ReceivedRequest): ModelAnswer;
  /** Learns of each request that an OpenAI endpoint would refuse; it was answered 400. */
  refused?(reason: string): void;
}

export interface ModelServer {
  /** What an OpenAI client takes for its base URL; ends with `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Ends at once, also with requests that still wait for their answer. */
  stop(): Promise<void>;
}

/** An HTTP server on 127.0.0.1 with the chat completions API of OpenAI. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  let answered = 0;
  const server = createServer((request, response) => {
    // A client that leaves in the middle of an answer, as one with a deadline does, is no failure of the model.
    response.on('error', () => undefined);
    handle(request, response, options, () => ++answered).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions,
  nextNumber: () => number,
): Promise<void> {
  const route = `${request.method} ${request.url?.split('?')[0]}`;
  if (route === 'GET /v1/models') return sendJson(response, 200, modelList(options.modelId));
  if (route !== 'POST /v1/chat/completions') {
    return sendJson(
      response,
      404,
      errorBody(`There is no ${route}: only GET /v1/models and POST /v1/chat/completions.`),
    );
  }
  const parsed = parse(await text(request));
  if (typeof parsed === 'string') {
    options.refused?.(parsed);
    return sendJson(response, 400, errorBody(parsed));
  }
  const answer = options.answer({ body: parsed, headers: request.headers });
  await writeAnswer(response, answer, parsed, { model: options.modelId, number: nextNumber() });
}

/** The request, or what is wrong with it. */
function parse(body: string): ChatRequest | string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return 'The body is not JSON.';
  }
  const parsed = ChatRequest.safeParse(json);
  if (!parsed.success) return z.prettifyError(parsed.error);
  return brokenRule(parsed.data) ?? parsed.data;
}

function modelList(id: string): object {
  return {
    object: 'list',
    data: [{ id, object: 'model', created: 0, owned_by: 'a script, not a language model' }],
  };
}

function errorBody(message: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
