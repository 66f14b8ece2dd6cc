import type { Actor } from '@nuqloud/contracts';
import { storableText } from '@nuqloud/platform';

const TYPE = /^[a-z_]{1,64}$/;
const MAX_ID = 1024;

/** Matterbridge posts with an attendee of its own, so Talk names it like a local user. */
const BRIDGE = { type: 'users', id: 'bridge-bot' };

/**
 * `<type>/<id>`, split at the first slash only: ids of guests and federated users hold slashes too.
 * The id is kept exactly as it came. The bridge's account gets the type `bridged`: what it posts was written by
 * people whom Nextcloud does not know, and they must never pass for a local user.
 * @returns undefined for what names nobody
 */
export const parseActor = (actor: string): Actor | undefined => {
  const slash = actor.indexOf('/');
  const type = actor.slice(0, Math.max(slash, 0));
  const id = actor.slice(slash + 1);
  if (!TYPE.test(type) || id === '' || id.length > MAX_ID || storableText(id) !== id) return undefined;
  return type === BRIDGE.type && id === BRIDGE.id ? { type: 'bridged', id } : { type, id };
};

/** A bot's own messages and those of other bots are never answered. */
export const isBot = (actor: { readonly type: string; readonly id: string }): boolean =>
  actor.type === 'Application' || actor.id.startsWith('bots/');
