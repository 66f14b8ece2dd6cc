import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ChatRequest } from './chat-request';
import type { AnswerLabel } from './completion-body';
import { completionBody, completionChunks } from './completion-body';
import type { BreakOff, Completion, ModelAnswer } from './model-answer';

/** Sends the answer the way the request asked for it, or breaks off as the answer says. */
export async function writeAnswer(
  response: ServerResponse,
  answer: ModelAnswer,
  request: ChatRequest,
  label: AnswerLabel,
): Promise<void> {
  await (typeof answer.after === 'number' ? sleep(answer.after) : answer.after);
  if (answer.kind === 'raw') {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  } else if (answer.breakOff) {
    breakOff(response, answer, answer.breakOff, request, label);
  } else if (request.stream) {
    response.writeHead(200, STREAM_HEADERS);
    completionChunks(answer, request, label).forEach((chunk) => response.write(event(chunk)));
    response.end('data: [DONE]\n\n');
  } else {
    response.writeHead(200, JSON_HEADERS).end(JSON.stringify(completionBody(answer, request, label)));
  }
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;

function breakOff(
  response: ServerResponse,
  completion: Completion,
  { afterChunks, how }: BreakOff,
  request: ChatRequest,
  label: AnswerLabel,
): void {
  const finish = () => {
    if (how === 'hang-up') response.destroy();
  };
  if (afterChunks === 0) return finish();
  if (request.stream) {
    const sent = completionChunks(completion, request, label).slice(0, afterChunks);
    response.writeHead(200, STREAM_HEADERS).write(sent.map(event).join(''), finish);
  } else {
    const body = Buffer.from(JSON.stringify(completionBody(completion, request, label)));
    response.writeHead(200, { ...JSON_HEADERS, 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), finish);
  }
}
