import OpenAI, { APIError } from 'openai';
import type { ModelAnswer, ModelRequest } from '../../ports/model';
import { endpointFailure, tooLate } from './endpoint-failure';
import { garbage, readCompletion } from './read-completion';
import { requestBody } from './request-body';
import type { Dialect } from './request-body';

export interface EndpointOptions {
  /** Under which it is known in logs and steps. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
}

/** No answer is longer; whoever sends more is no model endpoint. */
const MAX_BODY_CHARACTERS = 8_000_000;
const COMMON: Dialect = { lengthLimit: 'max_tokens', takesTemperature: true };

/** One OpenAI-compatible chat completions endpoint, asked once at a time: who calls decides about trying again. */
export class OpenAiEndpoint {
  readonly name: string;
  private readonly client: OpenAI;
  private readonly timeoutMs: number;
  /** By model; what is not known is learned from the first refusal. */
  private readonly dialects = new Map<string, Dialect>();

  constructor({ name, baseUrl, apiKey, timeoutMs }: EndpointOptions) {
    this.name = name;
    this.timeoutMs = timeoutMs;
    this.client = new OpenAI({
      baseURL: baseUrl,
      // The client refuses to start without a key; endpoints that need none ignore it.
      apiKey: apiKey === '' ? 'none' : apiKey,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
    });
  }

  /** @throws ModelFailure */
  async ask(request: ModelRequest, model: string, signal: AbortSignal): Promise<ModelAnswer> {
    // The client's own limit ends with the headers; a body that never ends must end, too.
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    try {
      return readCompletion(await this.send(request, model, limited), this.name);
    } catch (error) {
      throw limited.aborted ? tooLate() : endpointFailure(error, Date.now());
    }
  }

  /** A parameter that the model does not take is left out, or named otherwise, from then on. */
  private async send(request: ModelRequest, model: string, signal: AbortSignal): Promise<string> {
    for (;;) {
      const dialect = this.dialects.get(model) ?? COMMON;
      const body = requestBody(request, model, this.name, dialect);
      try {
        return await readText(await this.client.chat.completions.create(body, { signal }).asResponse());
      } catch (error) {
        const learned = learn(dialect, error);
        if (!learned) throw error;
        this.dialects.set(model, learned);
      }
    }
  }
}

const learn = (dialect: Dialect, error: unknown): Dialect | undefined => {
  if (!(error instanceof APIError) || error.status !== 400) return undefined;
  if (error.param === 'max_tokens' && dialect.lengthLimit === 'max_tokens')
    return { ...dialect, lengthLimit: 'max_completion_tokens' };
  if (error.param === 'temperature' && dialect.takesTemperature)
    return { ...dialect, takesTemperature: false };
  return undefined;
};

const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_BODY_CHARACTERS) throw garbage();
  }
  return text + decoder.decode();
};
