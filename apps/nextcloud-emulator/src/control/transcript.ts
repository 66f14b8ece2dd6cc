import type { Emulation } from '../emulation';
import { shownName } from '../world/actors';
import { countByEmoji } from '../talk/chat-message';
import { plainText, renderMessage } from '../talk/render-message';
import type { Message, Room } from '../world/world';

export interface TranscriptEntry {
  readonly id: number;
  readonly actorType: string;
  readonly actorId: string;
  readonly actorDisplayName: string;
  /** As a person reads it: mentions and files by their names. */
  readonly message: string;
  /** Id of the message this one answers. */
  readonly replyTo: number | null;
  readonly referenceId: string;
  /** Counts by emoji. */
  readonly reactions: Readonly<Record<string, number>>;
  readonly systemMessage: string;
  /** The thread that it stands in, where it stands in one. */
  readonly threadId?: number;
}

/** What people see of a room, after the message `after`; the history's own entries for reactions are left out. */
export function transcript(emulation: Emulation, room: Room, after: number): TranscriptEntry[] {
  return visibleMessages(room, after).map((message) => ({
    id: message.id,
    actorType: message.actor.type,
    actorId: message.actor.id,
    actorDisplayName: shownName(message.actor, message.actorName),
    message: plainText(
      renderMessage(emulation.world, room, message, { uid: null, baseUrl: emulation.publicUrl }),
    ),
    replyTo: message.systemMessage === '' ? message.parentId : null,
    referenceId: message.referenceId,
    reactions: countByEmoji(message.reactions),
    systemMessage: message.systemMessage,
    ...(message.threadId !== null && { threadId: message.threadId }),
  }));
}

export function visibleMessages(room: Room, after: number): Message[] {
  return room.messages.filter(
    (message) => message.id > after && !message.systemMessage.startsWith('reaction'),
  );
}
