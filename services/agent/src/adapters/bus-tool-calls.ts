import { Injectable } from '@nestjs/common';
import { ActOnApproval, ExecuteTool } from '@nuqloud/contracts';
import type {
  ActOnApprovalReply,
  ActOnApprovalRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
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

  act(provider: string, request: ActOnApprovalRequest, context: MessageContext): Promise<ActOnApprovalReply> {
    return this.bus.request(ActOnApproval, { provider }, request, { context });
  }
}
