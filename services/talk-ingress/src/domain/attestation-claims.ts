import { createHash } from 'node:crypto';
import { ATTESTATION_AUDIENCE, ATTESTATION_TTL_S } from '@nuqloud/contracts';
import type { AttestationClaims } from '@nuqloud/contracts';
import type { TalkEvent } from './interpret-payload';

export type AttestedEvent = Extract<TalkEvent, { text: string } | { reaction: string }>;

/** Only what a person wrote or felt is attested; what Talk itself tells moves nobody to act. */
export const isAttested = (event: TalkEvent): event is AttestedEvent =>
  'text' in event || 'reaction' in event;

/** What was written: of a reaction, the emoji. */
const textOf = (event: AttestedEvent): string => ('text' in event ? event.text : event.reaction);

/** Who wrote what, for `nowS` seconds since the epoch by our own clock: Talk signs no time. */
export const attestationClaims = (
  event: AttestedEvent,
  bot: { readonly slug: string; readonly instance: string },
  nowS: number,
): Omit<AttestationClaims, 'iss'> => ({
  aud: ATTESTATION_AUDIENCE,
  sub: `${event.actor.type}/${event.actor.id}`,
  instance: bot.instance,
  bot: bot.slug,
  room: event.room,
  message: event.messageId,
  kind: event.kind,
  textHash: createHash('sha256').update(textOf(event), 'utf8').digest('hex'),
  iat: nowS,
  exp: nowS + ATTESTATION_TTL_S,
  ...('thread' in event && event.thread !== undefined && { thread: event.thread }),
  ...('replyTo' in event && event.replyTo && { replyTo: event.replyTo.messageId }),
});
