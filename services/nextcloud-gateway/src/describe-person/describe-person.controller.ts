import { Controller } from '@nestjs/common';
import { DescribePerson } from '@nuqloud/contracts';
import type { PersonDescription } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { actingUid } from '../domain/acting-person';
import { KnownPeople } from '../identify-person/known-people';
import { InstanceDirectory } from '../ports/instance-directory';
import { VerifyAttestation } from '../resolve-identity/verify-attestation';

/** Whoever holds an attestation may know what its writer's own profile says, nothing of anybody else. */
@Controller()
export class DescribePersonController {
  constructor(
    private readonly attestations: VerifyAttestation,
    private readonly instances: InstanceDirectory,
    private readonly people: KnownPeople,
  ) {}

  @OnRequest(DescribePerson)
  async describe({ attestation }: { attestation: string }): Promise<PersonDescription> {
    const attested = await this.attestations.verify(attestation);
    const uid = actingUid(attested);
    return this.people.describe(await this.instances.get(attested.instance), uid);
  }
}
