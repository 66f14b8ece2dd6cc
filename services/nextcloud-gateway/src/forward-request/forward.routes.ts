import { METHODS } from 'node:http';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { answerHeaders } from '../domain/forwarded-headers';
import { describeRefusal } from '../refuse-request/describe-refusal';
import { sendRefusal } from '../refuse-request/send-refusal';
import type { ForwardNote, ForwardRequest } from './forward-request';

/**
 * `ANY /nextcloud/{instance}/…`. A plain Fastify route with a parser that reads nothing: bodies go through in
 * both directions as streams.
 */
export const forwardRoutes =
  (forwardRequest: ForwardRequest, logger: Logger): FastifyPluginCallback =>
  (scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      if (!scope.supportedMethods.includes(method)) scope.addHttpMethod(method, { hasBody: true });
    }
    scope.all('/nextcloud/*', (request, reply) => {
      reply.hijack();
      void forward(forwardRequest, logger, request, reply.raw);
    });
    done();
  };

const forward = async (
  forwardRequest: ForwardRequest,
  logger: Logger,
  { raw }: FastifyRequest,
  response: ServerResponse,
): Promise<void> => {
  const startedAt = performance.now();
  const note: ForwardNote = {};
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const { method = '', url = '', headers } = raw;
  try {
    const received = { method, url, headers, body: raw, signal: gone.signal };
    const answer = await forwardRequest.forward(received, note);
    response.writeHead(answer.status, answerHeaders(answer.headers));
    // Destroys the response when the answer breaks off, so that half a file never looks like a whole one.
    await pipeline(answer.body, response);
    logger.info({
      event: 'gateway.forwarded',
      method,
      ...note,
      status: answer.status,
      ms: msSince(startedAt),
    });
  } catch (error) {
    const event = eventOf(error, response, gone.signal);
    const level = event === 'gateway.abandoned' ? 'info' : 'warn';
    logger[level]({ event, method, ...note, ms: msSince(startedAt), ...describeRefusal(error) });
    if (!response.headersSent) sendRefusal(response, error);
    else response.destroy();
  }
};

/** Whether the caller went away, Nextcloud broke off its answer, or the gateway refused. */
const eventOf = (error: unknown, response: ServerResponse, gone: AbortSignal): string => {
  if (!response.headersSent) return gone.aborted ? 'gateway.abandoned' : 'gateway.refused';
  return errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE' ? 'gateway.abandoned' : 'gateway.cut-short';
};

const msSince = (startedAt: number): number => Math.round(performance.now() - startedAt);
