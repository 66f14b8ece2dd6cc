import type { ChatRequest } from './chat-request';
import { messageText } from './chat-request';
import type { Completion } from './model-answer';

/** What names one answer on the wire. */
export interface AnswerLabel {
  model: string;
  /** Numbers the answers of one model from 1. */
  number: number;
}

const CHARACTERS_PER_TOKEN = 4;
const ARGUMENT_PIECE = 16;

/** The body of an answer in one piece. */
export function completionBody(completion: Completion, request: ChatRequest, label: AnswerLabel): object {
  const toolCalls = wireToolCalls(completion, label);
  const message = {
    role: 'assistant',
    content: completion.text,
    refusal: null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    ...head(label, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(completion) }],
    usage: usage(completion, request),
  };
}

/** The same as the chunks of a stream: role, words, pieces of the calls, reason of the end, usage if asked for. */
export function completionChunks(completion: Completion, request: ChatRequest, label: AnswerLabel): object[] {
  const wantsUsage = request.stream_options?.include_usage === true;
  const chunk = (choices: object[], used: object | null = null) => ({
    ...head(label, 'chat.completion.chunk'),
    choices,
    ...(wantsUsage ? { usage: used } : {}),
  });
  const choice = (delta: object, reason: string | null = null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason: reason,
  });
  return [
    chunk([choice({ role: 'assistant', content: completion.text === null ? null : '' })]),
    ...words(completion.text ?? '').map((content) => chunk([choice({ content })])),
    ...toolCallDeltas(completion, label).map((delta) => chunk([choice({ tool_calls: [delta] })])),
    chunk([choice({}, finishReason(completion))]),
    ...(wantsUsage ? [chunk([], usage(completion, request))] : []),
  ];
}

function head({ model, number }: AnswerLabel, object: string): object {
  return { id: `chatcmpl-scripted-${number}`, object, created: Math.floor(Date.now() / 1000), model };
}

function wireToolCalls({ toolCalls }: Completion, { number }: AnswerLabel) {
  return toolCalls.map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function toolCallDeltas(completion: Completion, label: AnswerLabel): object[] {
  return wireToolCalls(completion, label).flatMap(({ function: call, ...rest }, index) => [
    { index, ...rest, function: { name: call.name, arguments: '' } },
    ...pieces(call.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
}

function finishReason({ finishReason: given, toolCalls }: Completion): string {
  return given ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

function usage(completion: Completion, request: ChatRequest): object {
  const { promptTokens, completionTokens } = completion.usage ?? {
    promptTokens: tokens(request.messages.map(messageText).join('')),
    completionTokens: tokens((completion.text ?? '') + JSON.stringify(completion.toolCalls)),
  };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

const tokens = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
const words = (text: string) => text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? [];
const pieces = (text: string) => text.match(new RegExp(`[^]{1,${ARGUMENT_PIECE}}`, 'gu')) ?? [];
