import type { Attachment, ChatEventBody, RepliedMessage } from '@nuqloud/contracts';
import type { z } from 'zod';
import { cutText, singleLine } from '@nuqloud/platform';
import { readRichText } from './rich-text';
import type { Parameter, RichText } from './rich-text';
import { isBot, parseActor } from './talk-actor';
import { ActivityPayload, CreatePayload, LikePayload, MembershipPayload, UndoPayload } from './talk-payload';
import type { InReplyTo, PayloadActor } from './talk-payload';

const MAX_NAME = 256;
const MAX_QUOTE = 32_000;

/** Owner, moderator and guest moderator (spreed's participant types). */
const MODERATORS: ReadonlySet<string | undefined> = new Set(['1', '2', '6']);

/** What a file share and other shared objects are named: nothing up to Talk 22, `message` since. */
const SHARES: ReadonlySet<string> = new Set(['', 'message']);

/** The name under which Talk stores shared objects: polls, places, cards and files that are gone. */
const OBJECT_SHARED = 'object_shared';

type Told<Event> = Event extends unknown
  ? Omit<Event, 'v' | 'instance' | 'bot' | 'receivedAt' | 'attestation' | 'random'>
  : never;

/** A chat event as far as Talk's payload tells it. */
export type TalkEvent = Told<ChatEventBody>;

/** Why a signed payload is not acted on; names no content. */
export type Ignored = 'UNKNOWN_TYPE' | 'UNREADABLE' | 'FROM_A_BOT';
export type Interpretation = { readonly event: TalkEvent } | { readonly ignored: Ignored };

const UNREADABLE: Interpretation = { ignored: 'UNREADABLE' };

/** Says what a signed payload means. Never throws, whatever the payload is. */
export const interpretPayload = (payload: unknown): Interpretation => {
  const type =
    typeof payload === 'object' && payload !== null && 'type' in payload ? payload.type : undefined;
  switch (type) {
    case 'Create':
      return read(CreatePayload, payload, interpretMessage);
    case 'Activity':
      return read(ActivityPayload, payload, interpretActivity);
    case 'Like':
      return read(LikePayload, payload, ({ actor, object, target, content }) =>
        interpretReaction('reaction_added', actor, target, object.id, content),
      );
    case 'Undo':
      return read(UndoPayload, payload, ({ actor, object, target }) =>
        interpretReaction('reaction_removed', actor, target, object.object.id, object.content),
      );
    case 'Join':
      return read(MembershipPayload, payload, ({ object }) => ({
        event: { kind: 'joined', ...place(object) },
      }));
    case 'Leave':
      return read(MembershipPayload, payload, ({ object }) => ({
        event: { kind: 'left', ...place(object) },
      }));
    default:
      return { ignored: 'UNKNOWN_TYPE' };
  }
};

const read = <S extends z.ZodType>(
  schema: S,
  payload: unknown,
  interpret: (payload: z.output<S>) => Interpretation,
): Interpretation => {
  const parsed = schema.safeParse(payload);
  return parsed.success ? interpret(parsed.data) : UNREADABLE;
};

const interpretMessage = (payload: CreatePayload): Interpretation => {
  const { actor, object, target } = payload;
  return fromPerson(actor, (speaker) => {
    const content = readRichText(object.content);
    if (!content) return UNREADABLE;
    if (!isWritten(object.name, content)) return interpretActivity(payload);
    const replyTo = object.inReplyTo && readQuote(object.inReplyTo);
    return {
      event: {
        kind: 'message',
        ...place(target),
        actor: speaker,
        ...spoken(object, content),
        text: content.text,
        ...(replyTo && { replyTo }),
      },
    };
  });
};

/**
 * Only what a person wrote as a message can be a "yes". Captions, shared objects, edits and deletions come as
 * activities; should a Talk ever tell them as messages, their names and parameters still say what they are.
 */
const isWritten = (name: string, { parameters }: RichText): boolean =>
  SHARES.has(name) && !parameters.has('file') && !parameters.has('object');

const interpretActivity = ({ actor, object, target }: ActivityPayload): Interpretation =>
  fromPerson(actor, (speaker) => {
    const base = { ...place(target), actor: speaker, messageId: object.id };
    const name = singleLine(object.name, 128);
    if (!SHARES.has(name)) return { event: { kind: 'system', ...base, name } };
    const content = readRichText(object.content);
    if (!content) return UNREADABLE;
    const file = content.parameters.get('file');
    if (!file?.id) return { event: { kind: 'system', ...base, name: OBJECT_SHARED } };
    const text = content.template === '{file}' ? '' : content.text;
    const attachments = [readAttachment(file)];
    return { event: { kind: 'attachment', ...base, ...spoken(object, content), text, attachments } };
  });

const interpretReaction = (
  kind: 'reaction_added' | 'reaction_removed',
  actor: PayloadActor,
  target: { id: string; name: string },
  messageId: string,
  reaction: string,
): Interpretation =>
  fromPerson(actor, (speaker) => ({
    event: { kind, ...place(target), actor: speaker, messageId, reaction },
  }));

type Speaker = Extract<TalkEvent, { kind: 'message' }>['actor'];

const fromPerson = (actor: PayloadActor, interpret: (speaker: Speaker) => Interpretation): Interpretation => {
  if (isBot(actor)) return { ignored: 'FROM_A_BOT' };
  const identity = parseActor(actor.id);
  if (!identity) return UNREADABLE;
  const moderator = MODERATORS.has(actor.talkParticipantType);
  return interpret({ ...identity, name: singleLine(actor.name, MAX_NAME), moderator });
};

const place = (room: { id: string; name: string }) => ({
  room: room.id,
  roomName: singleLine(room.name, 1024),
});

/** Talk's chat API names a message without a thread as its own thread; such a one begins nothing here. */
const spoken = ({ id, threadId }: { id: string; threadId?: string | undefined }, { mentions }: RichText) => ({
  messageId: id,
  mentions,
  ...(threadId !== undefined && threadId !== id && { thread: threadId }),
});

const readQuote = ({ actor, object }: InReplyTo): RepliedMessage | undefined => {
  const identity = parseActor(actor.id);
  const content = readRichText(object.content);
  if (!identity || !content) return undefined;
  const name = identity.type === 'bots' ? actor.name.replace(/ \(Bot\)$/, '') : actor.name;
  return {
    messageId: object.id,
    actor: { ...identity, name: singleLine(name, MAX_NAME) },
    text: cutText(content.text, MAX_QUOTE),
  };
};

const readAttachment = (file: Parameter): Attachment => ({
  fileId: cutText(file.id, 64),
  name: singleLine(file.name, 1024),
  mimetype: singleLine(file.mimetype, 255),
  size: /^\d{1,15}$/.test(file.size) ? Number(file.size) : null,
});
