import { Controller } from '@nestjs/common';
import { ProposeConfirmation as ProposeContract } from '@nuqloud/contracts';
import type { ProposeConfirmationReply, ProposeConfirmationRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ProposeConfirmation } from './propose-confirmation';

@Controller()
export class ProposeController {
  constructor(private readonly confirmations: ProposeConfirmation) {}

  @OnRequest(ProposeContract)
  propose(request: ProposeConfirmationRequest, context: MessageContext): Promise<ProposeConfirmationReply> {
    return this.confirmations.propose(request, context);
  }
}
