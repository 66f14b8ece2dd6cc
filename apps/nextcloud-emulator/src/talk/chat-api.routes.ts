import { MAX_MESSAGE_LENGTH } from '../ocs/capabilities';
import { flagParameter, numberParameter, OcsFailure, textParameter } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import { botsOf, sameActor } from '../world/actors';
import { findMessage } from '../world/messages';
import type { Message, Room } from '../world/world';
import { chatMessage, reactionsByEmoji } from './chat-message';
import { readHistory } from './chat-history';
import { messageOfCall, participate } from './participant';
import type { Participation } from './participant';
import { isSingleEmoji } from './single-emoji';
import { edit, react, remove, say, unreact } from './talk-events';

const CHAT = '/apps/spreed/api/v1/chat/{token}';
const REACTION = '/apps/spreed/api/v1/reaction/{token}/{messageId}';

/** What a user does in a room: read, write, edit, delete, react. */
export function addChatApiRoutes(router: OcsRouter): void {
  router.on('GET', CHAT, { handle: readHistory });
  router.on('POST', CHAT, { handle: writeMessage });
  router.on('PUT', `${CHAT}/{messageId}`, { handle: editMessage });
  router.on('DELETE', `${CHAT}/{messageId}`, { handle: deleteMessage });
  router.on('GET', REACTION, {
    handle: (call) => ({ status: 200, data: reactionsByEmoji(messageOfCall(call, participate(call).room)) }),
  });
  router.on('POST', REACTION, { handle: addReaction });
  router.on('DELETE', REACTION, { handle: deleteReaction });
}

async function writeMessage(call: OcsCall) {
  const { room, member, uid } = participate(call);
  const text = textParameter(call, 'message');
  if (text.trim() === '') throw new OcsFailure(400, '', []);
  if ([...text].length > MAX_MESSAGE_LENGTH) throw new OcsFailure(413, '', []);
  const replyTo = numberParameter(call, 'replyTo');
  if (replyTo !== 0 && !findMessage(room, replyTo)) throw new OcsFailure(400, '', []);
  const message = await say(call.emulation, room, {
    actor: member.actor,
    actorName: member.displayName,
    text: text.trim(),
    parentId: replyTo === 0 ? null : replyTo,
    referenceId: textParameter(call, 'referenceId').slice(0, 64),
    silent: flagParameter(call, 'silent'),
  });
  return { status: 201, data: chatMessage(call.emulation, room, message, uid) };
}

async function editMessage(call: OcsCall) {
  const participation = participate(call);
  const { room, member, uid } = participation;
  const message = changeable(call, participation);
  const text = textParameter(call, 'message');
  if (text.trim() === '') throw new OcsFailure(400, '', []);
  const trace = await edit(call.emulation, room, message, member, text.trim());
  return { status: statusOfChange(call, room), data: chatMessage(call.emulation, room, trace, uid) };
}

async function deleteMessage(call: OcsCall) {
  const participation = participate(call);
  const { room, member, uid } = participation;
  const trace = await remove(call.emulation, room, changeable(call, participation), member);
  return { status: statusOfChange(call, room), data: chatMessage(call.emulation, room, trace, uid) };
}

/** Own messages, and for moderators all. */
function changeable(call: OcsCall, { room, member }: Participation): Message {
  const message = messageOfCall(call, room);
  if (message.systemMessage !== '' || message.deleted) throw new OcsFailure(405, '', []);
  if (!sameActor(message.actor, member.actor) && member.participantType > 2)
    throw new OcsFailure(403, '', []);
  return message;
}

/** 202 says that a bot has a copy that cannot be changed. */
function statusOfChange(call: OcsCall, room: Room): number {
  return botsOf(call.emulation.world, room).some((bot) => bot.features.has('webhook')) ? 202 : 200;
}

async function addReaction(call: OcsCall) {
  const { room, member } = participate(call);
  const message = messageOfCall(call, room);
  const emoji = textParameter(call, 'reaction');
  if (message.systemMessage !== '' || message.deleted || !isSingleEmoji(emoji))
    throw new OcsFailure(400, '', []);
  const added = await react(
    call.emulation,
    room,
    message,
    { actor: member.actor, name: member.displayName },
    emoji,
  );
  return { status: added ? 201 : 200, data: reactionsByEmoji(message) };
}

async function deleteReaction(call: OcsCall) {
  const { room, member } = participate(call);
  const message = messageOfCall(call, room);
  const reactor = { actor: member.actor, name: member.displayName };
  const removed = await unreact(call.emulation, room, message, reactor, textParameter(call, 'reaction'));
  if (!removed) throw new OcsFailure(404, '', []);
  return { status: 200, data: reactionsByEmoji(message) };
}
