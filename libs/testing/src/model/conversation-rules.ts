import type { ChatMessage, ChatRequest } from './chat-request';

/** Keywords that OpenAI refuses at the top of a function's parameters. */
const REFUSED_AT_THE_TOP = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'];

/**
 * What an OpenAI endpoint answers 400 to although each field by itself is right; undefined when all is well.
 * A stand-in that let these through would hide the mistakes that only a real endpoint shows.
 */
export function brokenRule(request: ChatRequest): string | undefined {
  return brokenToolRule(request) ?? brokenMessageRule(request.messages);
}

function brokenToolRule(request: ChatRequest): string | undefined {
  const {
    tools = [],
    tool_choice: choice,
    parallel_tool_calls: parallel,
    stream,
    stream_options: streamOptions,
  } = request;
  const names = tools.map((tool) => tool.function.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `tools: the name '${repeated}' is used twice.`;
  for (const { function: tool } of tools) {
    const keyword = REFUSED_AT_THE_TOP.find((refused) => refused in (tool.parameters ?? {}));
    if (keyword)
      return `tools: the parameters of '${tool.name}' must not have '${keyword}' at the top level.`;
  }
  if (choice !== undefined && tools.length === 0)
    return "'tool_choice' is only allowed when 'tools' are specified.";
  if (parallel !== undefined && tools.length === 0) {
    return "'parallel_tool_calls' is only allowed when 'tools' are specified.";
  }
  if (typeof choice === 'object' && !names.includes(choice.function.name)) {
    return `tool_choice: '${choice.function.name}' is not among the tools.`;
  }
  if (streamOptions && !stream) return "'stream_options' is only allowed when 'stream' is true.";
  return undefined;
}

function brokenMessageRule(messages: ChatMessage[]): string | undefined {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) continue;
      return `messages[${index}]: a 'tool' message must answer one of the 'tool_calls' just before it, once.`;
    }
    if (open.size > 0) return unanswered(open, index);
    if (message.role !== 'assistant') continue;
    if (message.tool_calls === undefined && message.content == null) {
      return `messages[${index}]: an 'assistant' message needs 'content' or 'tool_calls'.`;
    }
    message.tool_calls?.forEach(({ id }) => open.add(id));
    if (open.size !== (message.tool_calls?.length ?? 0))
      return `messages[${index}]: two 'tool_calls' share an id.`;
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function unanswered(open: Set<string>, index: number): string {
  return `messages[${index}]: 'tool_calls' must be followed by a 'tool' message for each id; missing: ${[...open].join(', ')}.`;
}
