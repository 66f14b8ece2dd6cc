import type { ModelReplay, RequestedCall } from '@nuqloud/contracts';
import { cutText, storableText } from '@nuqloud/platform';
import { z } from 'zod';
import { MODEL_FAILURES } from '../../domain/model-failures';
import { ModelFailure } from '../../ports/model';
import type { ModelAnswer } from '../../ports/model';

/** Text, or its parts: some endpoints send their reasoning as a part of another type. */
const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string().optional(), text: z.string().nullish() })),
]);

const WireCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({
    name: z.string().nullish(),
    /** Text by the protocol; some endpoints send the object itself. */
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});
type WireCall = z.infer<typeof WireCall>;

const Message = z.looseObject({
  content: Content.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(WireCall).nullish(),
});

/** Only what we use, and tolerant in it: endpoints leave out or add all sorts of things. */
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message: Message })).min(1),
});

/**
 * What an endpoint's answer means, whatever its dialect.
 * @param endpoint name under which what it wants to see again is kept
 * @throws ModelFailure for what is no completion, and for one that a content filter withheld
 */
export const readCompletion = (body: string, endpoint: string): ModelAnswer => {
  const [choice] = Completion.safeParse(parseJson(body)).data?.choices ?? [];
  if (!choice) throw garbage();
  const { finish_reason: reason, message } = choice;
  if (reason === 'content_filter') throw filtered();
  const { toolCalls, extras } = readCalls(message.tool_calls ?? []);
  const text = textOf(message.content) || (toolCalls.length === 0 ? (message.refusal ?? '') : '');
  return {
    text: storableText(text),
    cutOff: reason === 'length',
    toolCalls,
    ...(toolCalls.length > 0 && replayOf(endpoint, message, extras)),
  };
};

export const garbage = (): ModelFailure =>
  new ModelFailure(
    MODEL_FAILURES.GARBAGE,
    'The model endpoint answered with something that is no completion.',
    { retryable: true },
  );

export const filtered = (): ModelFailure =>
  new ModelFailure(MODEL_FAILURES.FILTERED, "The provider's content filter withheld the model's answer.");

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the parser's message would quote the answer
  }
};

/** Local models write what they think before their answer, and not every server takes it out. */
const THOUGHTS = /^\s*<think>[^]*?(?:<\/think>\s*|$)/;

const textOf = (content: z.infer<typeof Content> | null | undefined): string => {
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => ((part.type ?? 'text') === 'text' ? (part.text ?? '') : '')).join('');
  return text.replace(THOUGHTS, '');
};

/** Longer arguments are no call but a model gone wrong; cut, they are no JSON any more and are answered as such. */
const MAX_ARGUMENTS = 100_000;
const MAX_CALLS = 32;

type Extras = ModelReplay['calls'];

/** Some endpoints leave ids out or give the same to every call; answers are matched by id. */
const readCalls = (calls: readonly WireCall[]): { toolCalls: RequestedCall[]; extras: Extras } => {
  const taken = new Set<string>();
  const extras: Extras = {};
  const toolCalls = calls.slice(0, MAX_CALLS).map((call, index) => {
    const wished = cutText(storableText(call.id ?? ''), 200);
    const id = wished === '' || taken.has(wished) ? `call_${index}_${taken.size}` : wished;
    taken.add(id);
    const extra = pick(call, CALL_EXTRAS);
    if (extra) extras[id] = extra;
    const { name, arguments: given } = call.function;
    const argumentsText = typeof given === 'object' && given !== null ? JSON.stringify(given) : (given ?? '');
    return {
      id,
      name: cutText(storableText(name ?? ''), 200),
      argumentsText: cutText(storableText(argumentsText), MAX_ARGUMENTS),
    };
  });
  return { toolCalls, extras };
};

/**
 * Fields without which an endpoint refuses its own calls when it sees them again: DeepSeek and others their reasoning,
 * Gemini its signatures. By name, because endpoints also refuse fields that they themselves sent.
 */
const MESSAGE_EXTRAS = ['reasoning_content', 'reasoning_details', 'thinking_blocks', 'extra_content'];
const CALL_EXTRAS = ['extra_content'];
/** Longer thoughts are left out: they are sent with every further call of the turn. */
const MAX_REPLAY_CHARACTERS = 64_000;

const replayOf = (endpoint: string, message: object, calls: Extras): { replay?: ModelReplay } => {
  const extra = pick(message, MESSAGE_EXTRAS);
  if (!extra && Object.keys(calls).length === 0) return {};
  const text = storableText(JSON.stringify({ endpoint, message: extra ?? {}, calls }));
  return text.length > MAX_REPLAY_CHARACTERS ? {} : { replay: JSON.parse(text) as ModelReplay };
};

const pick = (source: object, names: readonly string[]): Record<string, unknown> | undefined => {
  const found = Object.entries(source).filter(([name, value]) => names.includes(name) && value !== null);
  return found.length > 0 ? Object.fromEntries(found) : undefined;
};
