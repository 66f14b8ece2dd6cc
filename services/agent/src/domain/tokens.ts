/** Characters per token, on the careful side for European languages and JSON. */
const CHARACTERS_PER_TOKEN = 3.5;

/** An estimate, not a count: a tokenizer's tables would cost more memory than the whole service. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
