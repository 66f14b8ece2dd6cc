import { Controller } from '@nestjs/common';
import { ClaimApproval as ClaimContract } from '@nuqloud/contracts';
import type { ClaimApprovalReply, ClaimApprovalRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ClaimApproval } from './claim-approval';

@Controller()
export class ClaimController {
  constructor(private readonly approvals: ClaimApproval) {}

  @OnRequest(ClaimContract)
  async claim(request: ClaimApprovalRequest, context: MessageContext): Promise<ClaimApprovalReply> {
    if (request.phase === 'settle') {
      await this.approvals.settle(request.claim, request.outcome, context);
      return { v: 1, phase: 'settle' };
    }
    const { token, deadline } = await this.approvals.claim(request.grant, request.proof, context);
    return { v: 1, phase: 'claim', claim: token, deadline: new Date(deadline).toISOString() };
  }
}
