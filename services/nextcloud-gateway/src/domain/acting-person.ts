import type { AttestationClaims, AttestedKind } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { GatewayRefusal } from './gateway-refusal';

/** Reactions are left out: Talk 21 to 23 name the author of the message as the one who reacted. */
const ACTING_KINDS: ReadonlySet<AttestedKind> = new Set<AttestedKind>(['message', 'attachment']);

/** Matterbridge posts for people of foreign networks, under the name of this local account. */
const BRIDGE_ACCOUNT = 'bridge-bot';

/**
 * The characters that would change the meaning of the id where it is used: `:` ends it in AppAPI's header,
 * `/` and `\` end it in a path; half a surrogate pair has no encoding. Nextcloud gives out no such ids.
 */
const UNUSABLE = /[\u0000-\u001f\u007f:/\\\p{Surrogate}]/u;
const MAX_UID_LENGTH = 64;

/**
 * The user id as whom the attested writer may act.
 * @throws GatewayRefusal for everybody who is no local user, and for what is no message
 */
export const actingUid = ({ sub, kind }: Pick<AttestationClaims, 'sub' | 'kind'>): string => {
  if (!ACTING_KINDS.has(kind)) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.KIND_CANNOT_ACT,
      `Nobody acts because of a ${kind}: only a message or an attachment can ask for something.`,
    );
  }
  // At the first slash only: federated ids hold further ones.
  const slash = sub.indexOf('/');
  const type = sub.slice(0, slash);
  const uid = sub.slice(slash + 1);
  if (slash < 0 || type !== 'users' || uid === BRIDGE_ACCOUNT || !isUsable(uid)) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_A_LOCAL_USER,
      'Tools act only for people with an account in this Nextcloud.',
    );
  }
  return uid;
};

const isUsable = (uid: string): boolean =>
  uid !== '' && uid !== '.' && uid !== '..' && uid.length <= MAX_UID_LENGTH && !UNUSABLE.test(uid);
