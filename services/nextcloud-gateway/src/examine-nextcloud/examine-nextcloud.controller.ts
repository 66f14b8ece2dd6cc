import { Controller } from '@nestjs/common';
import { ExamineNextcloud as Contract } from '@nuqloud/contracts';
import type { ExamineNextcloudReply } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { ExamineNextcloud } from './examine-nextcloud';

@Controller()
export class ExamineNextcloudController {
  constructor(private readonly examination: ExamineNextcloud) {}

  @OnRequest(Contract)
  async examine(): Promise<ExamineNextcloudReply> {
    return { v: 1, instances: await this.examination.examineAll() };
  }
}
