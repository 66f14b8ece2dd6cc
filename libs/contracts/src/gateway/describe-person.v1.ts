import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Attestation } from '../chat/attestation';

export const PersonDescription = z.object({
  v: z.literal(1),
  /** Exact user id, as Nextcloud spells it. */
  uid: z.string().min(1).max(64),
  displayName: z.string().max(1_024),
  /** BCP 47; `en` where Nextcloud says nothing. */
  language: z.string().min(2).max(35),
  /** IANA zone, or null where Nextcloud knows none. */
  zone: z.string().max(64).nullable(),
  groups: z.array(z.string().max(255)).max(5_000),
});
export type PersonDescription = z.infer<typeof PersonDescription>;

/** Who the attested writer is in Nextcloud. Only local users can be described. */
export const DescribePerson = defineRequest({
  name: 'gateway.person.v1',
  subject: 'gateway.person',
  request: z.object({ v: z.literal(1), attestation: Attestation }),
  reply: PersonDescription,
  timeoutMs: 5_000,
});
