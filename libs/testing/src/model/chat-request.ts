import { z } from 'zod';

/** OpenAI refuses a name with white space or any of < | \ / >. */
const SpeakerName = z
  .string()
  .regex(/^[^\s<|\\/>]+$/)
  .optional();

const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).min(1),
]);

const ToolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: Content, name: SpeakerName }),
  z.looseObject({ role: z.literal('developer'), content: Content, name: SpeakerName }),
  z.looseObject({ role: z.literal('user'), content: Content, name: SpeakerName }),
  z.looseObject({
    role: z.literal('assistant'),
    content: Content.nullish(),
    name: SpeakerName,
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string() }),
]);

const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().max(1024).optional(),
    parameters: z
      .looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()).optional() })
      .optional(),
  }),
});

const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
]);

/** The body of `POST /v1/chat/completions`, as far as it matters here; other settings are let through. */
export const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).min(1).optional(),
  tool_choice: ToolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

export type ChatRequest = z.infer<typeof ChatRequest>;
export type ChatMessage = ChatRequest['messages'][number];

/** The text of a message without its pictures and other parts. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** What the person wrote last. */
export function lastUserText(request: ChatRequest): string {
  const message = request.messages.findLast(({ role }) => role === 'user');
  return message ? messageText(message) : '';
}

/** The names of the tools that the model may call. */
export function offeredTools(request: ChatRequest): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name);
}

export interface ToolResult {
  name: string;
  text: string;
}

/** The results that came after the model's last words, whatever instructions follow them; empty when there are none. */
export function freshToolResults(request: ChatRequest): ToolResult[] {
  const messages = request.messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const lastOther = messages.findLastIndex(({ role }) => role !== 'tool');
  const asked = messages[lastOther];
  const calls = asked?.role === 'assistant' ? (asked.tool_calls ?? []) : [];
  return messages.slice(lastOther + 1).flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.find(({ id }) => id === message.tool_call_id);
    return call ? [{ name: call.function.name, text: messageText(message) }] : [];
  });
}
