import { z } from 'zod';
import { ChatEventBody } from './chat-event.v1';

/** An event that waits on talk-ingress's own disk until the stream takes it. It stands there sealed with ENCRYPTION_KEY. */
export const SpooledEvent = z.object({
  v: z.literal(1),
  /** Under which the stream stores it once. */
  messageId: z.string().min(1).max(300),
  event: ChatEventBody,
});
export type SpooledEvent = z.infer<typeof SpooledEvent>;
