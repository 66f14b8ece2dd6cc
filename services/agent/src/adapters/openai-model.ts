import { Inject, Injectable } from '@nestjs/common';
import type { RequestedCall } from '@nuqloud/contracts';
import { cutText, storableText } from '@nuqloud/platform';
import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionMessageParam } from 'openai/resources';
import { z } from 'zod';
import type { PromptMessage } from '../domain/prompt';
import { Model, ModelFailure } from '../ports/model';
import type { ModelAnswer, ModelRequest } from '../ports/model';

export interface OpenAiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Used by bots that name none. */
  readonly defaultModel: string;
}

/** Injection token of OpenAiOptions. */
export const OPENAI_OPTIONS = Symbol('OpenAiOptions');

const REQUEST_TIMEOUT_MS = 90_000;
const MAX_ANSWER_TOKENS = 4_000;

/** Only what we use, and tolerant in it: endpoints leave out or add all sorts of things. */
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().nullish(),
                function: z.object({ name: z.string(), arguments: z.string().nullish() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
});

/** Any OpenAI-compatible chat completions endpoint; the client retries once what may pass. */
@Injectable()
export class OpenAiModel extends Model {
  private readonly client: OpenAI;

  constructor(@Inject(OPENAI_OPTIONS) private readonly options: OpenAiOptions) {
    super();
    this.client = new OpenAI({
      baseURL: options.baseUrl,
      // The client refuses to start without a key; endpoints that need none ignore it.
      apiKey: options.apiKey === '' ? 'none' : options.apiKey,
      maxRetries: 1,
      timeout: REQUEST_TIMEOUT_MS,
      logLevel: 'off',
    });
  }

  async answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    let body: unknown;
    try {
      body = await this.client.chat.completions.create(this.parameters(request), { signal });
    } catch (error) {
      throw failure(error);
    }
    const completion = Completion.safeParse(body);
    if (!completion.success) {
      throw new ModelFailure(
        'MODEL.GARBAGE',
        'The model endpoint answered with something that is no completion.',
      );
    }
    const [choice] = completion.data.choices;
    return {
      text: storableText(choice?.message.content ?? ''),
      cutOff: choice?.finish_reason === 'length',
      toolCalls: asRequested(choice?.message.tool_calls ?? []),
    };
  }

  private parameters(request: ModelRequest): ChatCompletionCreateParamsNonStreaming {
    const { temperature, tools, requiredTool } = request;
    return {
      model: request.model ?? this.options.defaultModel,
      messages: request.messages.map(toParam),
      max_tokens: MAX_ANSWER_TOKENS,
      ...(temperature === undefined ? {} : { temperature }),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              type: 'function' as const,
              function: { name, description, parameters: schema },
            })),
            tool_choice:
              requiredTool === undefined
                ? ('auto' as const)
                : { type: 'function' as const, function: { name: requiredTool } },
          }),
    };
  }
}

const toParam = (message: PromptMessage): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      return message.toolCalls.length === 0
        ? { role: 'assistant', content: message.content }
        : {
            role: 'assistant',
            content: message.content === '' ? null : message.content,
            tool_calls: message.toolCalls.map(({ id, name, argumentsText }) => ({
              id,
              type: 'function',
              function: { name, arguments: argumentsText },
            })),
          };
  }
};

type WireCall = z.infer<typeof Completion>['choices'][number]['message']['tool_calls'];

/** Longer arguments are no call but a model gone wrong; cut, they are no JSON any more and are answered as such. */
const MAX_ARGUMENTS = 100_000;
const MAX_CALLS = 32;

/** Some endpoints leave ids out or give the same to every call; answers are matched by id. */
const asRequested = (calls: NonNullable<WireCall>): RequestedCall[] => {
  const taken = new Set<string>();
  return calls.slice(0, MAX_CALLS).map((call, index) => {
    const wished = cutText(storableText(call.id ?? ''), 200);
    const id = wished === '' || taken.has(wished) ? `call_${index}_${taken.size}` : wished;
    taken.add(id);
    return {
      id,
      name: cutText(storableText(call.function.name), 200),
      argumentsText: cutText(storableText(call.function.arguments ?? ''), MAX_ARGUMENTS),
    };
  });
};

/** The client's own messages may quote the endpoint's answer, which is not ours to log. */
const failure = (error: unknown): unknown => {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) {
    return new ModelFailure('MODEL.TIMEOUT', 'The model endpoint did not answer in time.', {
      retryable: true,
    });
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    const passing = error.status === 408 || error.status === 429 || error.status >= 500;
    const message = `The model endpoint answered with status ${error.status}.`;
    return new ModelFailure(passing ? 'MODEL.UNAVAILABLE' : 'MODEL.REFUSED', message, { retryable: passing });
  }
  if (error instanceof APIError) {
    return new ModelFailure('MODEL.UNREACHABLE', 'The model endpoint cannot be reached.', {
      retryable: true,
    });
  }
  // A body that announces JSON and is none makes the client throw a plain SyntaxError.
  return new ModelFailure(
    'MODEL.GARBAGE',
    'The model endpoint answered with something that is no completion.',
  );
};
