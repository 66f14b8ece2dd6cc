import { ATTESTATION_TYPE } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import type { TokenSigner } from '@nuqloud/platform';
import { attestationClaims, isAttested } from '../domain/attestation-claims';
import type { TalkEvent } from '../domain/interpret-payload';

/** How an event came to us. */
export interface Arrival {
  /** When it was written as far as we know: on arrival, or by Nextcloud's clock where it was read later. */
  readonly atMs: number;
  /** With which Talk signed it; empty where it was read from the room's history. */
  readonly random: string;
  readonly fromHistory?: boolean;
}

/** Completes what Talk told with its place and, where a person said it, the attestation of that. */
export const attestEvent = async (
  signer: TokenSigner,
  event: TalkEvent,
  bot: { readonly slug: string; readonly instance: string },
  { atMs, random, fromHistory = false }: Arrival,
): Promise<ChatEventBody> => {
  const { instance, slug } = bot;
  const base = { v: 1, instance, bot: slug, receivedAt: new Date(atMs).toISOString() } as const;
  if (isMembership(event)) return { ...event, ...base, random };
  if (!isAttested(event)) return { ...event, ...base };
  const claims = attestationClaims(event, bot, atMs);
  const attestation = await signer.sign(ATTESTATION_TYPE, {
    ...claims,
    ...(fromHistory && { fromHistory }),
  });
  return { ...event, ...base, attestation };
};

const isMembership = (event: TalkEvent): event is Extract<TalkEvent, { kind: 'joined' | 'left' }> =>
  event.kind === 'joined' || event.kind === 'left';
