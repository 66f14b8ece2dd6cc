import { Controller } from '@nestjs/common';
import { AnswerConfirmation as AnswerContract } from '@nuqloud/contracts';
import type { AnswerConfirmationReply, AnswerConfirmationRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AnswerConfirmation } from './answer-confirmation';

@Controller()
export class AnswerController {
  constructor(private readonly confirmations: AnswerConfirmation) {}

  @OnRequest(AnswerContract)
  answer(request: AnswerConfirmationRequest, context: MessageContext): Promise<AnswerConfirmationReply> {
    return this.confirmations.answer(request, context);
  }
}
