import type { ChatEventBody } from '@nuqloud/contracts';
import { sha256 } from '@nuqloud/platform';
import { WORKING } from '../domain/working-sign';

/**
 * What makes an event one event for ever, or undefined for those nobody acts on. Talk numbers messages; of an
 * event without a number the random counts with which Talk signed it.
 */
export const inboxKey = (event: ChatEventBody): string | undefined => {
  switch (event.kind) {
    case 'message':
    case 'attachment':
      return `message:${event.messageId}`;
    case 'system':
      return event.name === 'history_cleared' ? `history_cleared:${event.messageId}` : undefined;
    case 'left':
      return `left:${event.random}`;
    // Talk does not number reactions. That somebody reacts in the same way to the same message counts once.
    case 'reaction_added': {
      const { actor, reaction, messageId } = event;
      // Our own sign comes back in the name of the message's author; nobody acts on it.
      if (reaction === WORKING) return undefined;
      return `reaction:${messageId}:${sha256(JSON.stringify([actor.type, actor.id, reaction]))}`;
    }
    case 'joined':
    case 'reaction_removed':
      return undefined;
  }
};
