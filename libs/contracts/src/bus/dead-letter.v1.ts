import { z } from 'zod';
import { ServiceName } from '../services';
import { defineStream } from './define-message';

export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';

const StreamSequence = z.int().min(1);

const deadMessage = {
  v: z.literal(1),
  at: z.iso.datetime(),
  /** Where the message stands; it is not copied. */
  stream: z.string().regex(/^[A-Z_]{1,40}$/),
  sequence: StreamSequence,
};

/** A message of a stream that its consumer has given up, and why. The message itself stays in its stream for as long as that keeps it. */
export const DeadLetterBody = z.object({
  ...deadMessage,
  /** Whose consumer gave it up. */
  service: ServiceName,
  /** Name of the message. */
  contract: z.string().max(64),
  subject: z.string().max(200),
  correlationId: z.string().max(64),
  /** How often it was tried. */
  deliveries: z.int().min(1),
  /** Code of the error that ended it. */
  code: z.string().max(80),
  /** The same in words, without anything that the message said; empty where nobody worded it. */
  reason: z.string().max(1_000),
});
export type DeadLetterBody = z.infer<typeof DeadLetterBody>;

/** Kept before the message is given up. */
export const DeadLetter = defineStream({
  name: 'dead-letter.v1',
  stream: DEAD_LETTER_STREAM,
  subject: 'dead-letter.{service}',
  body: DeadLetterBody,
});

export const DeadLetterReplayedBody = z.object({
  ...deadMessage,
  /** The same message once more, at the end of its stream. */
  replayedAs: StreamSequence,
});
export type DeadLetterReplayedBody = z.infer<typeof DeadLetterReplayedBody>;

/** Written by `nuqloud dead-letter replay`. */
export const DeadLetterReplayed = defineStream({
  name: 'dead-letter.replayed.v1',
  stream: DEAD_LETTER_STREAM,
  subject: 'dead-letter-replayed',
  body: DeadLetterReplayedBody,
});
