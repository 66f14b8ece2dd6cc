import type { PostToRoomRequest } from '@nuqloud/contracts';
import { storableText } from '@nuqloud/platform';
import { inertMentions } from './inert-mentions';
import { PART_LIMIT, splitMessage } from './split-message';

export type Post = PostToRoomRequest['post'];

/**
 * The calls to Talk that a post becomes, in order. Mentions are made inert in the whole text, and again in each
 * part, because a cut may leave an `@` at the beginning. Only the first part is a reply.
 * @param limit of a part, in UTF-16 units
 * @returns nothing for a text that Talk would refuse as empty
 */
export const composeParts = (post: Post, limit: number = PART_LIMIT): Post[] => {
  if (post.type !== 'message') return [{ ...post, reaction: storableText(post.reaction) }];
  const { replyTo, ...rest } = post;
  const texts = splitMessage(inertMentions(storableText(post.text)), limit);
  return texts.map((text, index) => ({
    ...rest,
    text: inertMentions(text),
    ...(index === 0 && replyTo !== undefined && { replyTo }),
  }));
};
