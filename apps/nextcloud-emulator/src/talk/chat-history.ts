import { once } from 'node:events';
import { flagParameter, numberParameter } from '../ocs/ocs-call';
import type { OcsAnswer, OcsCall } from '../ocs/ocs-call';
import type { Message, Room } from '../world/world';
import { chatMessage } from './chat-message';
import { participate } from './participant';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;
const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 60;

/**
 * `GET /chat/{token}`. Backwards: newest first, older than `lastKnownMessageId`. Into the future: oldest first,
 * newer than it, waiting up to `timeout` seconds for the first. Nothing: 304 without a body.
 */
export async function readHistory(call: OcsCall): Promise<OcsAnswer> {
  const { room, uid } = participate(call);
  const select = selectionOf(call);
  let found = select(room);
  if (found.length === 0 && flagParameter(call, 'lookIntoFuture')) {
    await nextMessage(call, room);
    found = select(room);
  }
  const last = found.at(-1);
  if (!last) return { status: 304, data: [] };
  return {
    status: 200,
    data: found.map((message) => chatMessage(call.emulation, room, message, uid)),
    headers: { 'X-Chat-Last-Given': String(last.id), 'X-Chat-Last-Common-Read': '0' },
  };
}

function selectionOf(call: OcsCall): (room: Room) => Message[] {
  const limit = Math.min(Math.max(numberParameter(call, 'limit', DEFAULT_LIMIT), 1), MAX_LIMIT);
  const lastKnown = numberParameter(call, 'lastKnownMessageId');
  const including = flagParameter(call, 'includeLastKnown');
  if (flagParameter(call, 'lookIntoFuture')) {
    const first = including ? lastKnown : lastKnown + 1;
    return (room) => room.messages.filter((message) => message.id >= first).slice(0, limit);
  }
  const newest = lastKnown === 0 ? Infinity : including ? lastKnown : lastKnown - 1;
  return (room) =>
    room.messages
      .filter((message) => message.id <= newest)
      .slice(-limit)
      .reverse();
}

/** Waits for the room's history to grow, the time-out, or the client's leaving. */
async function nextMessage(call: OcsCall, room: Room): Promise<void> {
  const seconds = Math.min(numberParameter(call, 'timeout', DEFAULT_TIMEOUT_S), MAX_TIMEOUT_S);
  if (seconds <= 0) return;
  const signal = AbortSignal.any([call.exchange.whenGone(), AbortSignal.timeout(seconds * 1000)]);
  await once(call.emulation.history, room.token, { signal }).catch((error: unknown) => {
    // The end of the wait is no failure: the answer is then 304.
    if (!signal.aborted) throw error;
  });
}
