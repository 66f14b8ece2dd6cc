import { Controller } from '@nestjs/common';
import { ExamineTalk as Contract } from '@nuqloud/contracts';
import type { ExamineTalkReply, ExamineTalkRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { ExamineTalk } from './examine-talk';

@Controller()
export class ExamineTalkController {
  constructor(private readonly examination: ExamineTalk) {}

  @OnRequest(Contract)
  async examine({ room }: ExamineTalkRequest): Promise<ExamineTalkReply> {
    return { v: 1, bots: await this.examination.examineAll(room) };
  }
}
