import { ATTESTATION_AUDIENCE, ATTESTATION_TTL_S, quotationToHash } from '@nuqloud/contracts';
import type { AttestationClaims } from '@nuqloud/contracts';
import { sha256 } from '@nuqloud/platform';
import type { TalkEvent } from './interpret-payload';

export type AttestedEvent = Extract<TalkEvent, { text: string } | { reaction: string }>;

/** Only what a person wrote or felt is attested; what Talk itself tells moves nobody to act. */
export const isAttested = (event: TalkEvent): event is AttestedEvent =>
  'text' in event || 'reaction' in event;

/** What was written: of a reaction, the emoji. */
const textOf = (event: AttestedEvent): string => ('text' in event ? event.text : event.reaction);

/** Who wrote what, received at `nowMs` by our own clock: Talk signs no time. */
export const attestationClaims = (
  event: AttestedEvent,
  bot: { readonly slug: string; readonly instance: string },
  nowMs: number,
): Omit<AttestationClaims, 'iss'> => ({
  aud: ATTESTATION_AUDIENCE,
  sub: `${event.actor.type}/${event.actor.id}`,
  instance: bot.instance,
  bot: bot.slug,
  room: event.room,
  message: event.messageId,
  kind: event.kind,
  textHash: sha256(textOf(event)),
  at: nowMs,
  iat: Math.floor(nowMs / 1_000),
  exp: Math.floor(nowMs / 1_000) + ATTESTATION_TTL_S,
  ...('thread' in event && event.thread !== undefined && { thread: event.thread }),
  ...('replyTo' in event &&
    event.replyTo && {
      replyTo: event.replyTo.messageId,
      quotedHash: sha256(quotationToHash(event.replyTo)),
    }),
});
