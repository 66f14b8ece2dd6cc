import type { ChatEventBody } from '@nuqloud/contracts';

/**
 * What makes an event one event for ever, or undefined for those nobody acts on. Talk numbers
 * messages; leaving a room and clearing its history have no number of their own, so their place in the stream counts.
 */
export const inboxKey = (event: ChatEventBody, sequence: number): string | undefined => {
  switch (event.kind) {
    case 'message':
    case 'attachment':
      return `message:${event.messageId}`;
    case 'system':
      return event.name === 'history_cleared' ? `history_cleared:${event.messageId}` : undefined;
    case 'left':
      return `left:${sequence}`;
    case 'joined':
    case 'reaction_added':
    case 'reaction_removed':
      return undefined;
  }
};
