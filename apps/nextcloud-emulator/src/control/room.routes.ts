import { z } from 'zod';
import type { Router } from '../http/router';
import { formatActor, parseActor, sameActor } from '../world/actors';
import { admit, findMessage } from '../world/messages';
import { entryAt } from '../world/mounted-files';
import { shareIntoRoom } from '../world/shares';
import { PERMISSION } from '../world/world';
import type { Member, Message, Room, SharedFile } from '../world/world';
import { isSingleEmoji } from '../talk/single-emoji';
import { edit, react, remove, say, unreact } from '../talk/talk-events';
import { ControlFailure, jsonReply, messageOf, afterOf, readControlBody, roomOf } from './control-call';
import type { ControlCall, ControlHandler } from './control-call';
import { transcript } from './transcript';

const MESSAGES = '/_emulator/rooms/{token}/messages';

const NewMessage = z.strictObject({
  user: z.string().min(1),
  name: z.string().optional(),
  text: z.string().default(''),
  replyTo: z.int().positive().optional(),
  threadId: z.int().positive().optional(),
  /** Path of a file in the writer's own files, e.g. `/Docs/plan.md`. */
  file: z.string().min(1).optional(),
});
const Edit = z.strictObject({ user: z.string().min(1), text: z.string().min(1) });
const Writer = z.strictObject({ user: z.string().min(1).optional() });
const ReactionChange = z.strictObject({ user: z.string().min(1), reaction: z.string().min(1) });

export function addRoomRoutes(router: Router<ControlHandler>): void {
  router.on('GET', MESSAGES, (call) => {
    const room = roomOf(call);
    return jsonReply({ messages: transcript(call.emulation, room, afterOf(call)) });
  });
  router.on('POST', MESSAGES, writeMessage);
  router.on('POST', `${MESSAGES}/{id}/edit`, editMessage);
  router.on('DELETE', `${MESSAGES}/{id}`, deleteMessage);
  router.on('POST', `${MESSAGES}/{id}/reactions`, (call) => changeReaction(call, react));
  router.on('DELETE', `${MESSAGES}/{id}/reactions`, (call) => changeReaction(call, unreact));
}

async function writeMessage(call: ControlCall) {
  const room = roomOf(call);
  const body = await readControlBody(call, NewMessage);
  const member = writerOf(room, body.user, body.name);
  if (body.replyTo !== undefined && !findMessage(room, body.replyTo)) {
    throw new ControlFailure(400, `replyTo: there is no message ${body.replyTo} in room "${room.token}"`);
  }
  if (body.threadId !== undefined && !findMessage(room, body.threadId)) {
    throw new ControlFailure(400, `threadId: there is no message ${body.threadId} that could open a thread`);
  }
  const file = body.file === undefined ? null : shareFile(call, room, member, body.file);
  if (!file && body.text.trim() === '')
    throw new ControlFailure(400, 'text: a message needs a text or a file');
  const message = await say(call.emulation, room, {
    actor: member.actor,
    actorName: member.displayName,
    text: body.text.trim(),
    file,
    parentId: body.replyTo ?? null,
    ...(body.threadId !== undefined && { threadId: body.threadId }),
  });
  return jsonReply({ id: message.id }, 201);
}

async function editMessage(call: ControlCall) {
  const room = roomOf(call);
  const message = messageOf(call, room);
  const body = await readControlBody(call, Edit);
  demandChangeable(message);
  await edit(call.emulation, room, message, authorOf(room, message, body.user), body.text);
  return jsonReply({ id: message.id });
}

/** Without a user the author deletes the message. */
async function deleteMessage(call: ControlCall) {
  const room = roomOf(call);
  const message = messageOf(call, room);
  const body = await readControlBody(call, Writer);
  demandChangeable(message);
  await remove(
    call.emulation,
    room,
    message,
    authorOf(room, message, body.user ?? formatActor(message.actor)),
  );
  return jsonReply({ id: message.id });
}

async function changeReaction(call: ControlCall, change: typeof react) {
  const room = roomOf(call);
  const message = messageOf(call, room);
  const body = await readControlBody(call, ReactionChange);
  if (!isSingleEmoji(body.reaction))
    throw new ControlFailure(400, `reaction: "${body.reaction}" is not exactly one emoji`);
  const member = writerOf(room, body.user, undefined);
  const changed = await change(
    call.emulation,
    room,
    message,
    { actor: member.actor, name: member.displayName },
    body.reaction,
  );
  return jsonReply({ id: message.id, changed });
}

function writerOf(room: Room, user: string, name: string | undefined): Member {
  const actor = parseActor(user);
  if (actor.type === 'bots') throw new ControlFailure(400, 'user: bots write through the bot API of Talk');
  const member = admit(room, actor, name);
  if (member) return member;
  const members = room.members.map((one) => formatActor(one.actor)).join(', ');
  throw new ControlFailure(
    403,
    `user: ${formatActor(actor)} is not a member of room "${room.token}" (${members})`,
  );
}

function demandChangeable(message: Message): void {
  if (message.systemMessage !== '')
    throw new ControlFailure(409, `message ${message.id} is Talk's own and cannot be changed`);
  if (message.deleted) throw new ControlFailure(409, `message ${message.id} has been deleted already`);
}

function authorOf(room: Room, message: Message, user: string): Member {
  const member = writerOf(room, user, undefined);
  if (!sameActor(message.actor, member.actor) && member.participantType > 2) {
    throw new ControlFailure(403, `user: only the author or a moderator may change message ${message.id}`);
  }
  return member;
}

/** Shares a file into the room, as Talk does before it writes the message. */
function shareFile(call: ControlCall, room: Room, member: Member, path: string): SharedFile {
  const { world } = call.emulation;
  if (member.actor.type !== 'users')
    throw new ControlFailure(400, 'file: only local users have files to share');
  const uid = member.actor.id;
  const entry = entryAt(world, uid, path);
  if (entry?.node.kind !== 'file') throw new ControlFailure(400, `file: ${uid} has no file "${path}"`);
  if ((entry.permissions & PERMISSION.share) === 0)
    throw new ControlFailure(403, `file: ${uid} may not share "${path}" on`);
  const { id, mimetype, etag, content } = entry.node;
  shareIntoRoom(world, room.token, entry.node, call.emulation.now());
  return { id, name: entry.name, mimetype, etag, size: content.length };
}
