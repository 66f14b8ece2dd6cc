import { Injectable } from '@nestjs/common';
import { ExecuteTool } from '@nuqloud/contracts';
import type { ExecuteToolRequest, ToolResult } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ToolCalls } from '../ports/tool-calls';

@Injectable()
export class BusToolCalls extends ToolCalls {
  constructor(private readonly bus: Bus) {
    super();
  }

  async run(provider: string, request: ExecuteToolRequest, context: MessageContext): Promise<ToolResult> {
    const reply = await this.bus.request(ExecuteTool, { provider }, request, { context });
    if ('plan' in reply) throw new Error('not yet');
    return reply.result;
  }
}
