import { z } from 'zod';
import { BotSlug, InstanceId, MessageId, RoomToken } from '../ids';

/** `typ` header of the token with which talk-ingress says who wrote what. */
export const ATTESTATION_TYPE = 'nuqloud-attestation+jwt';
/** Attestations are for our own services; third parties never receive one. */
export const ATTESTATION_AUDIENCE = 'nuqloud-services';
/** Seconds from the arrival of a message during which somebody may act for its writer. */
export const ATTESTATION_TTL_S = 30 * 60;
/** Characters; a real one has about one thousand. */
export const MAX_ATTESTATION_LENGTH = 8_192;

/** The compact EdDSA JWT as it travels; who reads it verifies it. */
export const Attestation = z.string().max(MAX_ATTESTATION_LENGTH);

/** What was written or done. Only a `message` can ever be an answer to a confirmation. */
export const AttestedKind = z.enum(['message', 'attachment', 'reaction_added', 'reaction_removed']);
export type AttestedKind = z.infer<typeof AttestedKind>;

/**
 * Claims of the EdDSA JWT that talk-ingress signs for every message of a room.
 * `sub` is `<actor type>/<actor id>`, split at the first `/` only; `iat` and `exp` are seconds.
 */
export const AttestationClaims = z.object({
  iss: z.literal('talk-ingress'),
  aud: z.literal(ATTESTATION_AUDIENCE),
  sub: z.string().min(3).max(1200),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  thread: MessageId.optional(),
  message: MessageId,
  kind: AttestedKind,
  replyTo: MessageId.optional(),
  /** What it quotes: SHA-256 over `quotationToHash`, lower-case hex. */
  quotedHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** When talk-ingress received it, in milliseconds since the epoch: two messages may come within one second. From the history: when Nextcloud did. */
  at: z.number().int(),
  /** It was read from the room's history, not told by Talk's signed webhook: it approves nothing. */
  fromHistory: z.literal(true).optional(),
  iat: z.number().int(),
  exp: z.number().int(),
});
export type AttestationClaims = z.infer<typeof AttestationClaims>;

/** The one form in which a quoted message is hashed: its id, its writer and its text as JSON. */
export const quotationToHash = (quoted: {
  readonly messageId: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly text: string;
}): string => JSON.stringify([quoted.messageId, quoted.actor.type, quoted.actor.id, quoted.text]);
