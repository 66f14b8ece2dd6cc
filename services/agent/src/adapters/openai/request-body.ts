import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionMessageParam } from 'openai/resources';
import type { PromptMessage } from '../../domain/prompt';
import type { ModelRequest } from '../../ports/model';

/** What an endpoint has told us that it does not take. */
export interface Dialect {
  /** Newer models of OpenAI refuse `max_tokens`, most other endpoints know nothing else. */
  readonly lengthLimit: 'max_tokens' | 'max_completion_tokens';
  readonly takesTemperature: boolean;
}

const MAX_ANSWER_TOKENS = 4_000;

/** The body of `POST /chat/completions` as this endpoint understands it. */
export const requestBody = (
  { messages, temperature, tools, requiredTool }: ModelRequest,
  model: string,
  endpoint: string,
  dialect: Dialect,
): ChatCompletionCreateParamsNonStreaming => ({
  model,
  messages: messages.map((message) => toParam(message, endpoint)),
  [dialect.lengthLimit]: MAX_ANSWER_TOKENS,
  ...(temperature !== undefined && dialect.takesTemperature && { temperature }),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: schema },
    })),
    tool_choice:
      requiredTool === undefined
        ? ('auto' as const)
        : { type: 'function' as const, function: { name: requiredTool } },
  }),
});

const toParam = (message: PromptMessage, endpoint: string): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      // What one provider signed or thought, another refuses.
      const replay = message.replay?.endpoint === endpoint ? message.replay : undefined;
      return {
        ...replay?.message,
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
          ...replay?.calls[id],
          id,
          type: 'function' as const,
          function: { name, arguments: argumentsText },
        })),
      };
    }
  }
};
