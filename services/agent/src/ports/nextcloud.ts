import type { InstanceDescription, PersonDescription } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';

/** What Nextcloud says of people and of itself, through the gateway. */
export abstract class Nextcloud {
  /** The attested writer; fails while Nextcloud cannot be asked. */
  abstract person(attestation: string, context: MessageContext): Promise<PersonDescription>;
  abstract instance(id: string): Promise<InstanceDescription>;
}
