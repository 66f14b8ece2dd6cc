import type { HistoryMessage } from '@nuqloud/contracts';

/**
 * The webhook with which Talk would have told of this message, so that both are understood by the same rules.
 * @returns undefined for what nobody may be taken at their word for: deleted, or edited by somebody else
 */
export const historyPayload = (message: HistoryMessage, room: string): object | undefined => {
  if (message.messageType === 'comment_deleted' || isChangedByOthers(message)) return undefined;
  const { parent, threadId } = message;
  return {
    type: message.systemMessage === '' ? 'Create' : 'Activity',
    actor: actorOf(message),
    object: {
      ...noteOf(message),
      name: message.systemMessage || 'message',
      ...(message.isThread && threadId !== undefined && { threadId: String(threadId) }),
      ...(parent && 'message' in parent && { inReplyTo: { actor: actorOf(parent), object: noteOf(parent) } }),
    },
    target: { type: 'Collection', id: room, name: '' },
  };
};

type Said = Pick<
  HistoryMessage,
  'id' | 'actorType' | 'actorId' | 'actorDisplayName' | 'message' | 'messageParameters'
>;

const actorOf = ({ actorType, actorId, actorDisplayName }: Said) => ({
  type: actorType === 'bots' ? 'Application' : 'Person',
  id: `${actorType}/${actorId}`,
  name: actorDisplayName,
});

const noteOf = ({ id, message, messageParameters }: Said) => ({
  type: 'Note',
  id: String(id),
  name: 'message',
  content: JSON.stringify({ message, parameters: messageParameters ?? [] }),
});

/** Moderators may change what others wrote: it is then not what the writer said. */
const isChangedByOthers = (message: HistoryMessage): boolean =>
  (message.lastEditTimestamp ?? 0) > 0 &&
  (message.lastEditActorType !== message.actorType || message.lastEditActorId !== message.actorId);
