import type { ChatRequest } from './chat-request';

/**
 * Tokens of a request in o200k_base, counted over its messages and tools as they stand in the body, so with the JSON
 * around them: an endpoint counts fewer. The tables are loaded at the first call only.
 */
export async function countTokens({ messages, tools = [] }: ChatRequest): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  return count(JSON.stringify(messages)) + (tools.length > 0 ? count(JSON.stringify(tools)) : 0);
}
