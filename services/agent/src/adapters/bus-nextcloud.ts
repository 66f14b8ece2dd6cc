import { Injectable } from '@nestjs/common';
import { DescribeInstance, DescribePerson } from '@nuqloud/contracts';
import type { InstanceDescription, PersonDescription } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { Nextcloud } from '../ports/nextcloud';

@Injectable()
export class BusNextcloud extends Nextcloud {
  constructor(private readonly bus: Bus) {
    super();
  }

  person(attestation: string, context: MessageContext): Promise<PersonDescription> {
    return this.bus.request(DescribePerson, {}, { v: 1, attestation }, { context });
  }

  instance(id: string): Promise<InstanceDescription> {
    return this.bus.request(DescribeInstance, {}, { v: 1, instance: id });
  }
}
