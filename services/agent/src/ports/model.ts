import type { RequestedCall, ToolDefinition } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { PromptMessage } from '../domain/prompt';

export interface ModelRequest {
  readonly model: string | undefined;
  readonly temperature: number | undefined;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The one tool that must be called. */
  readonly requiredTool?: string | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** The endpoint's length limit ended the text. */
  readonly cutOff: boolean;
  /** Ids are present and different; names and arguments are as the model wrote them. */
  readonly toolCalls: readonly RequestedCall[];
}

/** The model gave no usable answer; codes are MODEL.UNREACHABLE, .TIMEOUT, .UNAVAILABLE, .REFUSED, .GARBAGE. */
export class ModelFailure extends AppError {}

export abstract class Model {
  /** @throws ModelFailure */
  abstract answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
}
