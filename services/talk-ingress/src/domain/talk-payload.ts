import { MessageId, RoomToken } from '@nuqloud/contracts';
import { z } from 'zod';

/*
 * Talk's webhook payloads (Activity Streams as spreed writes them, Talk 17 to 25). Unknown fields are dropped;
 * numbers may come as strings and the other way round.
 */

const Text = z.string().catch('');
const Id = z.union([z.string(), z.int()]).transform(String).pipe(MessageId);

const PayloadActor = z.object({
  type: Text,
  id: z.string(),
  name: Text,
  talkParticipantType: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
});
export type PayloadActor = z.infer<typeof PayloadActor>;

const Room = z.object({ id: RoomToken, name: Text });

const Note = z.object({ id: Id, name: Text, content: z.string() });

/** A quote that cannot be read is left out; the message itself matters more. */
const InReplyTo = z.object({ actor: PayloadActor, object: Note }).optional().catch(undefined);
export type InReplyTo = NonNullable<z.infer<typeof InReplyTo>>;

/** Talk shows reactions as one emoji. */
const Reaction = z.string().min(1).max(64);

export const CreatePayload = z.object({
  actor: PayloadActor,
  object: Note.extend({ threadId: Id.optional().catch(undefined), inReplyTo: InReplyTo }),
  target: Room,
});
export type CreatePayload = z.infer<typeof CreatePayload>;

export const ActivityPayload = z.object({
  actor: PayloadActor,
  object: Note.extend({ threadId: Id.optional().catch(undefined) }),
  target: Room,
});
export type ActivityPayload = z.infer<typeof ActivityPayload>;

export const LikePayload = z.object({
  actor: PayloadActor,
  object: z.object({ id: Id }),
  target: Room,
  content: Reaction,
});

/** The actor at the top took the reaction away; the one of the Like inside is the author of the message. */
export const UndoPayload = z.object({
  actor: PayloadActor,
  object: z.object({ type: z.literal('Like'), object: z.object({ id: Id }), content: Reaction }),
  target: Room,
});

/** `Join` and `Leave`: the bot is the actor and the room the object. */
export const MembershipPayload = z.object({ object: Room });
