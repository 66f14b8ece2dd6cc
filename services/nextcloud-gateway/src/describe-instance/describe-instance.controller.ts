import { Controller } from '@nestjs/common';
import { DescribeInstance } from '@nuqloud/contracts';
import type { InstanceDescription } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { InstanceDescriptions } from './instance-descriptions';

@Controller()
export class DescribeInstanceController {
  constructor(private readonly descriptions: InstanceDescriptions) {}

  @OnRequest(DescribeInstance)
  describe({ instance }: { instance: string }): Promise<InstanceDescription> {
    return this.descriptions.describe(instance);
  }
}
