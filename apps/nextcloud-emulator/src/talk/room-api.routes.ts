import type { Emulation } from '../emulation';
import { actingUser } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import { memberOf } from '../world/actors';
import type { Member, Room } from '../world/world';
import { ROOM_TYPES } from '../world/world';
import { chatMessage } from './chat-message';
import { participate } from './participant';

const ROOM = '/apps/spreed/api/v4/room';

/** Conversations and who is in them, for a user who is in them. */
export function addRoomApiRoutes(router: OcsRouter): void {
  router.on('GET', ROOM, { handle: listRooms });
  router.on('GET', `${ROOM}/{token}`, {
    handle: (call) => {
      const { room, member, uid } = participate(call);
      return { status: 200, data: roomData(call.emulation, room, member, uid) };
    },
  });
  router.on('GET', `${ROOM}/{token}/participants`, {
    handle: (call) => ({ status: 200, data: participate(call).room.members.map(participantData) }),
  });
}

function listRooms(call: OcsCall) {
  const uid = actingUser(call);
  const { world } = call.emulation;
  const data = [...world.rooms.values()].flatMap((room) => {
    const member = memberOf(room, { type: 'users', id: uid });
    return member ? [roomData(call.emulation, room, member, uid)] : [];
  });
  const headers = {
    'X-Nextcloud-Talk-Hash': '4ac2bf1a',
    'X-Nextcloud-Talk-Modified-Before': String(Math.floor(call.emulation.now() / 1000)),
  };
  return { status: 200, data, headers };
}

function roomData(emulation: Emulation, room: Room, member: Member, uid: string) {
  const last = room.messages.findLast((message) => !message.systemMessage.startsWith('reaction'));
  const moderator = member.participantType <= 2;
  return {
    id: room.id,
    token: room.token,
    type: ROOM_TYPES[room.type],
    name: room.type === 'one2one' ? (otherOf(room, member)?.actor.id ?? room.name) : room.name,
    displayName: room.type === 'one2one' ? (otherOf(room, member)?.displayName ?? room.name) : room.name,
    objectType: '',
    objectId: '',
    description: '',
    participantType: member.participantType,
    attendeeId: member.attendeeId,
    actorType: member.actor.type,
    actorId: member.actor.id,
    readOnly: 0,
    lobbyState: 0,
    lobbyTimer: 0,
    listable: 0,
    hasPassword: false,
    hasCall: false,
    canLeaveConversation: true,
    canDeleteConversation: moderator,
    canStartCall: true,
    isFavorite: false,
    notificationLevel: 2,
    messageExpiration: 0,
    mentionPermissions: 0,
    lastActivity: last?.timestamp ?? 0,
    unreadMessages: 0,
    unreadMention: false,
    lastReadMessage: last?.id ?? 0,
    lastMessage: last ? chatMessage(emulation, room, last, uid) : [],
  };
}

function otherOf(room: Room, member: Member): Member | undefined {
  return room.members.find((one) => one !== member);
}

/** Bots are no participants, so they are not in the list. */
function participantData(member: Member) {
  return {
    attendeeId: member.attendeeId,
    actorType: member.actor.type,
    actorId: member.actor.id,
    displayName: member.displayName,
    participantType: member.participantType,
    sessionIds: [],
    inCall: 0,
    lastPing: 0,
    permissions: 254,
  };
}
