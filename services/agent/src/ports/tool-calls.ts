import type { ExecuteToolRequest, ToolResult } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';

/** Runs one tool call at its provider. */
export abstract class ToolCalls {
  /** Throws typed bus errors: nobody there, too late, refused. */
  abstract run(provider: string, request: ExecuteToolRequest, context: MessageContext): Promise<ToolResult>;
}
