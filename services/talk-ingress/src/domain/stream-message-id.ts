import type { TalkEvent } from './interpret-payload';

/**
 * The id under which the stream stores an event once. A message has one of its own; the same reaction may be
 * added and removed again and again, and Join and Leave have no id at all, so for these Talk's random tells a
 * repeated request from a repeated deed.
 */
export const streamMessageId = (
  event: TalkEvent,
  bot: { readonly slug: string; readonly instance: string },
  random: string,
): string => {
  const place = [bot.instance, bot.slug, event.room, event.kind];
  switch (event.kind) {
    case 'message':
    case 'attachment':
    case 'system':
      return [...place, event.messageId].join(':');
    case 'reaction_added':
    case 'reaction_removed':
      return [...place, event.messageId, random].join(':');
    case 'joined':
    case 'left':
      return [...place, random].join(':');
  }
};
