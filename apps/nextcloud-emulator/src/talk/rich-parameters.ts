import { memberOf, shownName } from '../world/actors';
import type { Actor, Room, SharedFile, User, World } from '../world/world';
import { entryWithId } from '../world/mounted-files';
import type { Mention } from './mentions';

/** One placeholder's value; Talk sends all of them as strings. */
export type RichParameter = Readonly<Record<string, string>>;
export type RichParameters = Readonly<Record<string, RichParameter>>;

/** Where the text is shown decides what a file parameter tells. */
export interface Viewer {
  /** The user who reads; null for a bot, for whom Talk renders without a participant. */
  readonly uid: string | null;
  readonly baseUrl: string;
}

export function userParameter(user: User): RichParameter {
  return { type: 'user', id: user.id, name: user.displayName, 'mention-id': user.id };
}

export function actorParameter(world: World, actor: Actor, name: string): RichParameter {
  const user = actor.type === 'users' ? world.users.get(actor.id) : undefined;
  if (user) return userParameter(user);
  if (actor.type === 'guests') return guestParameter('guest', actor.id, name);
  if (actor.type === 'emails') return guestParameter('email', actor.id, name);
  if (actor.type === 'federated_users') return federatedParameter(actor.id, name);
  return { type: 'highlight', id: actor.id, name: shownName(actor, name) };
}

/** The kind in the placeholder's key and its value; undefined leaves the mention as text. */
export function mentionParameter(
  world: World,
  room: Room,
  mention: Mention,
  baseUrl: string,
): { kind: string; value: RichParameter } | undefined {
  switch (mention.type) {
    case 'user': {
      if (mention.id === 'all') return { kind: 'call', value: everybodyParameter(room, baseUrl) };
      const user = world.users.get(mention.id);
      return user && { kind: 'user', value: userParameter(user) };
    }
    case 'guest':
    case 'email': {
      const member = memberOf(room, { type: `${mention.type}s`, id: mention.id });
      return (
        member && { kind: mention.type, value: guestParameter(mention.type, mention.id, member.displayName) }
      );
    }
    case 'federated_user': {
      const member = memberOf(room, { type: 'federated_users', id: mention.id });
      return member && { kind: 'federated-user', value: federatedParameter(mention.id, member.displayName) };
    }
    case 'group': {
      const exists = [...world.users.values()].some((user) => user.groups.includes(mention.id));
      const value = {
        type: 'user-group',
        id: mention.id,
        name: mention.id,
        'mention-id': `group/${mention.id}`,
      };
      return exists ? { kind: 'group', value } : undefined;
    }
    case 'team':
      return undefined; // The emulator has no teams.
  }
}

function guestParameter(kind: 'guest' | 'email', id: string, name: string): RichParameter {
  return { type: kind, id: `${kind}/${id}`, name: name || 'Guest', 'mention-id': `${kind}/${id}` };
}

function federatedParameter(cloudId: string, name: string): RichParameter {
  const at = cloudId.lastIndexOf('@');
  return {
    type: 'user',
    id: cloudId.slice(0, at),
    name,
    server: `https://${cloudId.slice(at + 1)}`,
    'mention-id': `federated_user/${cloudId}`,
  };
}

function everybodyParameter(room: Room, baseUrl: string): RichParameter {
  return {
    type: 'call',
    id: room.token,
    name: room.name,
    'call-type': room.type === 'one2one' || room.type === 'public' ? room.type : 'group',
    'icon-url': `${baseUrl}/ocs/v2.php/apps/spreed/api/v1/room/${room.token}/avatar`,
    'mention-id': 'all',
  };
}

/** Bots get the bare file name and a share link; a user gets the path in the own files, wherever it is now. */
export function fileParameter(world: World, file: SharedFile, viewer: Viewer): RichParameter {
  const entry = viewer.uid === null ? undefined : entryWithId(world, viewer.uid, file.id);
  const previewable = /^(image|video|text)\/|^application\/pdf$/.test(file.mimetype);
  return {
    type: 'file',
    id: String(file.id),
    name: file.name,
    size: String(file.size),
    path: entry?.path.slice(1) ?? file.name,
    link: viewer.uid === null ? `${viewer.baseUrl}/s/emulated${file.id}` : `${viewer.baseUrl}/f/${file.id}`,
    etag: file.etag,
    permissions: '27',
    mimetype: file.mimetype,
    'preview-available': previewable ? 'yes' : 'no',
    'hide-download': 'no',
  };
}
