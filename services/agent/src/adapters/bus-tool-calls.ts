import { Injectable } from '@nestjs/common';
import { ActOnApproval, ExecuteTool } from '@nuqloud/contracts';
import type {
  ActOnApprovalRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
  ToolResult,
} from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ToolCalls } from '../ports/tool-calls';

@Injectable()
export class BusToolCalls extends ToolCalls {
  constructor(private readonly bus: Bus) {
    super();
  }

  run(provider: string, request: ExecuteToolRequest, context: MessageContext): Promise<ExecuteToolReply> {
    return this.bus.request(ExecuteTool, { provider }, request, { context });
  }

  async act(provider: string, request: ActOnApprovalRequest, context: MessageContext): Promise<ToolResult> {
    const { result } = await this.bus.request(ActOnApproval, { provider }, request, { context });
    return result;
  }
}
