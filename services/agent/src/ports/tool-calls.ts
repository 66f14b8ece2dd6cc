import type {
  ActOnApprovalReply,
  ActOnApprovalRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
} from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';

/** Runs tool calls at their providers. Throws typed bus errors: nobody there, too late, refused. */
export abstract class ToolCalls {
  /** @returns the result, or the signed plan of what the person has to be asked first */
  abstract run(
    provider: string,
    request: ExecuteToolRequest,
    context: MessageContext,
  ): Promise<ExecuteToolReply>;
  /** Does what was approved. */
  abstract act(
    provider: string,
    request: ActOnApprovalRequest,
    context: MessageContext,
  ): Promise<ActOnApprovalReply>;
}
