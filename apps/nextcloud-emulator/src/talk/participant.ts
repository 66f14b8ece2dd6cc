import { actingUser, OcsFailure } from '../ocs/ocs-call';
import type { OcsCall } from '../ocs/ocs-call';
import { isModerator, memberOf } from '../world/actors';
import { findMessage } from '../world/messages';
import type { Member, Message, Room } from '../world/world';

export interface Participation {
  readonly room: Room;
  readonly member: Member;
  readonly uid: string;
}

/** The room of the call and the caller's part in it; 404 for everybody who is not in it. */
export function participate(call: OcsCall): Participation {
  const { world } = call.emulation;
  const uid = actingUser(call);
  const room = world.versions.apps.has('spreed') ? world.rooms.get(call.path['token'] ?? '') : undefined;
  const member = room && memberOf(room, { type: 'users', id: uid });
  if (!room || !member) throw new OcsFailure(404, '', []);
  return { room, member, uid };
}

export function demandModerator({ member }: Participation): void {
  if (!isModerator(member)) throw new OcsFailure(403, '', []);
}

export function messageOfCall(call: OcsCall, room: Room): Message {
  const message = findMessage(room, Number(call.path['messageId']));
  if (!message) throw new OcsFailure(404, '', []);
  return message;
}
