import { readRetryAfter } from '@nuqloud/platform';
import { APIConnectionTimeoutError, APIError } from 'openai';
import { MODEL_FAILURES } from '../../domain/model-failures';
import type { ModelFailureCode } from '../../domain/model-failures';
import { ModelFailure } from '../../ports/model';
import { filtered } from './read-completion';

export const tooLate = (): ModelFailure =>
  new ModelFailure(MODEL_FAILURES.TIMEOUT, 'The model did not answer in time.');

/** What went wrong, without the client's own messages: they may quote the endpoint, which is not ours to log. */
export const endpointFailure = (error: unknown, nowMs: number): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIConnectionTimeoutError) return tooLate();
  if (!(error instanceof APIError) || typeof error.status !== 'number') {
    return new ModelFailure(MODEL_FAILURES.UNREACHABLE, 'The model endpoint cannot be reached.', {
      retryable: true,
    });
  }
  return ofStatus(error as APIError, error.status, nowMs);
};

const ofStatus = (error: APIError, status: number, nowMs: number): ModelFailure => {
  const said = `The model endpoint answered with status ${status}`;
  // Both headers and the wish not to be asked again are OpenAI's; others send at least `Retry-After`.
  const wait = {
    retryable: error.headers?.get('x-should-retry') !== 'false',
    retryAfterMs: readRetryAfter(error.headers?.get('retry-after'), nowMs),
  };
  if (status === 429) {
    const isPaidUp = error.code !== 'insufficient_quota';
    return new ModelFailure(MODEL_FAILURES.BUSY, `${said}: too many requests, or no credit is left.`, {
      ...wait,
      retryable: wait.retryable && isPaidUp,
    });
  }
  if (status === 408 || status === 409 || status >= 500)
    return new ModelFailure(MODEL_FAILURES.UNAVAILABLE, `${said}.`, wait);
  if (isTooLong(error, status))
    return new ModelFailure(MODEL_FAILURES.TOO_LONG, `${said}: the conversation is too long for the model.`);
  if (error.code === 'content_filter') return filtered();
  const { code, hint } = REFUSALS.get(status) ?? {
    code: MODEL_FAILURES.REFUSED,
    hint: 'it refuses the request',
  };
  return new ModelFailure(code, `${said}: ${hint}.`);
};

interface StatusRefusal {
  readonly code: ModelFailureCode;
  readonly hint: string;
}

const WRONG_KEY: StatusRefusal = {
  code: MODEL_FAILURES.UNAUTHORIZED,
  hint: 'its API key is wrong or may not use this model',
};
const REFUSALS: ReadonlyMap<number, StatusRefusal> = new Map<number, StatusRefusal>([
  [401, WRONG_KEY],
  [403, WRONG_KEY],
  [404, { code: MODEL_FAILURES.NOT_FOUND, hint: 'its base URL or the name of the model is wrong' }],
]);

/** OpenAI and Azure, llama.cpp. */
const TOO_LONG_CODES: ReadonlySet<unknown> = new Set([
  'context_length_exceeded',
  'string_above_max_length',
  'exceed_context_size_error',
]);
/** vLLM, Mistral, Gemini and Anthropic have no code for it, only words. */
const TOO_LONG_WORDS =
  /maximum context length|context (?:length|size|window)|prompt is too long|too large for model|input token count/i;

const isTooLong = (error: APIError, status: number): boolean =>
  status === 413 ||
  ((status === 400 || status === 422) &&
    (TOO_LONG_CODES.has(error.code) || TOO_LONG_CODES.has(error.type) || TOO_LONG_WORDS.test(error.message)));
