import { Controller } from '@nestjs/common';
import { ExamineModel as Contract } from '@nuqloud/contracts';
import type { ExamineModelReply } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { ExamineModel } from './examine-model';

@Controller()
export class ExamineModelController {
  constructor(private readonly examination: ExamineModel) {}

  @OnRequest(Contract)
  async examine(): Promise<ExamineModelReply> {
    return { v: 1, models: await this.examination.examineAll() };
  }
}
