import type { z } from 'zod';
import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { placeOfJsonMistake } from '../json-mistake';
import type { PathParameters } from '../http/router';
import { findMessage } from '../world/messages';
import type { Message, Room } from '../world/world';

export interface ControlCall {
  readonly emulation: Emulation;
  readonly exchange: Exchange;
  readonly path: PathParameters;
}

export type ControlHandler = (call: ControlCall) => Reply | Promise<Reply>;

/** A call that cannot be done; the message says what is wrong and what would be right. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function jsonReply(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  };
}

/** The JSON body, an empty one as `{}`. @throws {ControlFailure} 400 */
export async function readControlBody<S extends z.ZodType>(
  call: ControlCall,
  schema: S,
): Promise<z.output<S>> {
  const source = (await call.exchange.readBody()).toString('utf8');
  const result = schema.safeParse(source === '' ? {} : parseJson(source));
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new ControlFailure(400, issues.join('; '));
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = placeOfJsonMistake(source);
    throw new ControlFailure(400, `line ${line}, column ${column}: the body is not JSON`);
  }
}

export function roomOf(call: ControlCall): Room {
  const token = call.path['token'] ?? '';
  const room = call.emulation.world.rooms.get(token);
  if (room) return room;
  const known = [...call.emulation.world.rooms.keys()].join(', ') || 'none';
  throw new ControlFailure(404, `There is no room "${token}"; there are: ${known}`);
}

export function messageOf(call: ControlCall, room: Room): Message {
  const id = Number(call.path['id']);
  const message = findMessage(room, id);
  if (!message)
    throw new ControlFailure(404, `There is no message ${call.path['id']} in room "${room.token}"`);
  return message;
}

/** The number of `?after=`, 0 without it. */
export function afterOf(call: ControlCall): number {
  const text = call.exchange.query.get('after') ?? '0';
  if (!/^\d+$/.test(text)) throw new ControlFailure(400, `after has to be a whole number, got "${text}"`);
  return Number(text);
}
