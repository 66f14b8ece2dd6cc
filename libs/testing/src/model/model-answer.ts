/** One call of a tool in an answer. */
export interface AnsweredToolCall {
  name: string;
  /** An object is sent as JSON; a text is sent as it is, also when it is not JSON. */
  arguments: Record<string, unknown> | string;
  /** `call_1`, `call_2` … unless given. */
  id?: string;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

/** How a connection fails in the middle of an answer. */
export interface BreakOff {
  /** Chunks of the stream that still arrive; of an answer in one piece, half of it. With 0 not even headers do. */
  afterChunks: number;
  /** `hang-up` closes the connection; `stall` keeps it open and sends nothing more. */
  how: 'hang-up' | 'stall';
}

interface Timed {
  /** Milliseconds to wait before the first byte, or something to wait for. */
  after?: number | Promise<unknown>;
}

export interface Completion extends Timed {
  kind: 'completion';
  text: string | null;
  toolCalls: AnsweredToolCall[];
  /** `tool_calls` when there are some, else `stop`, unless given. */
  finishReason?: string;
  /** A rough count of characters unless given. */
  usage?: Usage;
  breakOff?: BreakOff;
}

/** Any bytes instead of a completion. */
export interface RawAnswer extends Timed {
  kind: 'raw';
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What the model does with one request. */
export type ModelAnswer = Completion | RawAnswer;

type CompletionOptions = Partial<Pick<Completion, 'finishReason' | 'usage' | 'after' | 'breakOff'>>;

/** Words, and nothing else. */
export function says(text: string, options: CompletionOptions = {}): Completion {
  return { kind: 'completion', text, toolCalls: [], ...options };
}

/** One or several calls of tools, if need be with words beside them. */
export function calls(
  toolCalls: AnsweredToolCall | AnsweredToolCall[],
  { text = null, ...options }: CompletionOptions & { text?: string | null } = {},
): Completion {
  return { kind: 'completion', text, toolCalls: [toolCalls].flat(), ...options };
}

/** An error as OpenAI words it, or with any other body. */
export function fails(
  status: number,
  options: { code?: string; message?: string; body?: string; headers?: Record<string, string> } & Timed = {},
): RawAnswer {
  const { code = null, message = `scripted error ${status}`, headers = {}, body, ...timed } = options;
  return {
    kind: 'raw',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? JSON.stringify({ error: { message, type: 'scripted_error', param: null, code } }),
    ...timed,
  };
}

/** Status 200 with a body that is no completion. */
export function babbles(body: string, options: { contentType?: string } & Timed = {}): RawAnswer {
  const { contentType = 'application/json', ...timed } = options;
  return { kind: 'raw', status: 200, headers: { 'content-type': contentType }, body, ...timed };
}
