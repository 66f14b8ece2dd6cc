import { Inject, Injectable } from '@nestjs/common';
import { describeError, LOGGER, waitUnlessStopped } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { isOutage, pauseBefore } from './patience';
import { ModelBreaker } from '../../ports/breaker';
import { Model, ModelFailure } from '../../ports/model';
import type { ModelAnswer, ModelRequest } from '../../ports/model';
import { OpenAiEndpoint } from './openai-endpoint';

export interface OpenAiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Used by bots that name none. */
  readonly defaultModel: string;
  /** Asked while the first is away; its model serves every bot. */
  readonly fallback:
    { readonly baseUrl: string; readonly apiKey: string; readonly model: string } | undefined;
  /** Milliseconds for one answer; 90 s unless given. */
  readonly timeoutMs?: number | undefined;
}

/** Injection token of OpenAiOptions. */
export const OPENAI_OPTIONS = Symbol('OpenAiOptions');

const REQUEST_TIMEOUT_MS = 90_000;
/** So long an endpoint that is busy or down may keep a person waiting, all tries together. */
const PATIENCE_MS = 120_000;
/** With another one to ask nobody need wait long. */
const PATIENCE_WITH_FALLBACK_MS = 3_000;

const FIRST = 'first';

/** One chat completions endpoint, and a second one for the time in which the first is away. */
@Injectable()
export class OpenAiModel extends Model {
  private readonly first: OpenAiEndpoint;
  private readonly fallback: OpenAiEndpoint | undefined;

  constructor(
    @Inject(OPENAI_OPTIONS) private readonly options: OpenAiOptions,
    private readonly breaker: ModelBreaker,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    const { baseUrl, apiKey, fallback, timeoutMs = REQUEST_TIMEOUT_MS } = options;
    this.first = new OpenAiEndpoint({ name: FIRST, baseUrl, apiKey, timeoutMs });
    this.fallback = fallback && new OpenAiEndpoint({ ...fallback, name: 'fallback', timeoutMs });
  }

  async answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const { fallback } = this;
    const first = () =>
      this.patiently(this.first, request.model ?? this.options.defaultModel, request, signal);
    if (!fallback) return first();
    const second = () => this.patiently(fallback, this.options.fallback?.model ?? '', request, signal);
    const broken = (await this.breaker.open([FIRST])).has(FIRST);
    if (broken) return this.oneAfterTheOther(second, first, signal);
    return this.oneAfterTheOther(first, second, signal, () => this.breaker.trip(FIRST));
  }

  /** Only an endpoint that is away is given up for the other one; a mistake of ours it would be there, too. */
  private async oneAfterTheOther(
    ask: () => Promise<ModelAnswer>,
    askOther: () => Promise<ModelAnswer>,
    signal: AbortSignal,
    isAway?: () => Promise<void>,
  ): Promise<ModelAnswer> {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelFailure) || !isOutage(error.code)) throw error;
      this.logger.warn({ event: 'model.other-endpoint', ...describeError(error) });
      await isAway?.();
      return askOther();
    }
  }

  private async patiently(
    endpoint: OpenAiEndpoint,
    model: string,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const patience = this.fallback ? PATIENCE_WITH_FALLBACK_MS : PATIENCE_MS;
    const until = Math.min(Date.now() + patience, request.deadline ?? Infinity);
    for (let tries = 1; ; tries += 1) {
      try {
        return await endpoint.ask(request, model, signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelFailure)) throw error;
        const pause = pauseBefore(error, tries, until - Date.now());
        if (pause === undefined) throw error;
        const { name } = endpoint;
        this.logger.warn({ event: 'model.again', endpoint: name, ...describeError(error), inMs: pause });
        await waitUnlessStopped(pause, signal);
      }
    }
  }
}
