import type { ChatEventBody } from '@nuqloud/contracts';

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
    case 'joined':
    case 'reaction_added':
    case 'reaction_removed':
      return undefined;
  }
};
