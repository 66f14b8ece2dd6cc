import type { PostToRoomRequest } from '@nuqloud/contracts';
import { storableText } from '@nuqloud/platform';
import { inertMentions } from './inert-mentions';
import { splitMessage } from './split-message';

export type Post = PostToRoomRequest['post'];

/**
 * The calls to Talk that a post becomes, in order. Mentions are made inert in the whole text, and again in each
 * part, because a cut may leave an `@` at the beginning. Only the first part is a reply.
 * @returns nothing for a text that Talk would refuse as empty
 */
export const composeParts = (post: Post): Post[] => {
  if (post.type !== 'message') return [{ ...post, reaction: storableText(post.reaction) }];
  const { replyTo, ...rest } = post;
  const texts = splitMessage(inertMentions(storableText(post.text)));
  return texts.map((text, index) => ({
    ...rest,
    text: inertMentions(text),
    ...(index === 0 && replyTo !== undefined && { replyTo }),
  }));
};
