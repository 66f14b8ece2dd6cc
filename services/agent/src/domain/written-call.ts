/** Marks that models put around a call when nobody reads calls out of their text. */
const MARKED =
  /<\|?tool_?calls?(?:_begin)?\|?>|\[TOOL_CALLS?\]|<function(?:_calls?)?[=>]|<invoke name=|<｜tool▁calls?▁begin｜>/i;
/** A block of code that is all of the text, or ends it. */
const LAST_FENCE = /```[\w-]*\s*\n([^]*?)\n?\s*```\s*$/;
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'action_input', 'tool_input'];

/**
 * Whether a model wrote down a call of one of its tools instead of making it. Only what cannot well be anything else
 * counts: a marked call, or a text (or last block of code) that is nothing but the call of a tool that there is.
 */
export const isWrittenCall = (text: string, toolNames: readonly string[]): boolean => {
  if (toolNames.length === 0) return false;
  const whole = text.trim();
  const names = new Set(toolNames);
  if (MARKED.test(whole) && toolNames.some((name) => whole.includes(name))) return true;
  return [whole, LAST_FENCE.exec(whole)?.[1]?.trim()].some(
    (part) => part !== undefined && (isJsonCall(part, names) || isFunctionCall(part, names)),
  );
};

/** `files_list(path="/")`, `files_list({"path": "/"})` */
const isFunctionCall = (text: string, names: ReadonlySet<string>): boolean => {
  const [, name] = /^([a-z][a-z0-9_]*)\s*\([^]*\)\s*;?$/.exec(text) ?? [];
  return name !== undefined && names.has(name);
};

/** `{"name": "files_list", "arguments": {…}}`, or a list of such. */
const isJsonCall = (text: string, names: ReadonlySet<string>): boolean => {
  if (!/^[[{]/.test(text)) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const calls: unknown[] = Array.isArray(value) ? value : [value];
  return calls.length > 0 && calls.every((call) => isCallObject(call, names));
};

const isCallObject = (value: unknown, names: ReadonlySet<string>): boolean => {
  if (!isObject(value)) return false;
  const { function: inner } = value;
  if (isObject(inner)) return isCallObject(inner, names);
  const named = NAME_KEYS.some((key) => typeof value[key] === 'string' && names.has(value[key]));
  return named && ARGUMENT_KEYS.some((key) => key in value);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
