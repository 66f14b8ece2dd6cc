import type { ModelReplay, RequestedCall, ToolDefinition } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { ModelFailureCode } from '../domain/model-failures';
import type { PromptMessage } from '../domain/prompt';

export interface ModelRequest {
  readonly model: string | undefined;
  readonly temperature: number | undefined;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The one tool that must be called. */
  readonly requiredTool?: string | undefined;
  /** Nobody waits for an answer that comes later; milliseconds since the epoch. */
  readonly deadline?: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** The endpoint's length limit ended the text. */
  readonly cutOff: boolean;
  /** Ids are present and different; names and arguments are as the model wrote them. */
  readonly toolCalls: readonly RequestedCall[];
  /** What the endpoint wants to see again beside the calls. */
  readonly replay?: ModelReplay | undefined;
}

export interface ModelFailureOptions {
  /** Whether asking the same endpoint again may help. */
  readonly retryable?: boolean;
  /** How long the endpoint wants to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** The model gave no usable answer. The message quotes nothing that the endpoint said. */
export class ModelFailure extends AppError {
  readonly retryAfterMs: number | undefined;

  constructor(
    override readonly code: ModelFailureCode,
    message: string,
    { retryable = false, retryAfterMs }: ModelFailureOptions = {},
  ) {
    super(code, message, { retryable });
    this.retryAfterMs = retryAfterMs;
  }
}

export abstract class Model {
  /** @throws ModelFailure */
  abstract answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
}
