import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId } from '../ids';

/** Where talk-ingress takes what Talk tells the bot that is registered through AppAPI. */
export const APP_BOT_ROUTE = '/talk_bot';

/** A public X25519 key, 32 bytes in base64url: only who made it opens the answer. */
export const ReplyKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');

/**
 * Registers the Talk bot through AppAPI. Doing so again gives the same secret and changes name and description.
 * The secret is encrypted for whoever asks: neither the bus nor anybody on it can read it.
 */
export const RegisterAppBot = defineRequest({
  name: 'gateway.app-bot.v1',
  subject: 'gateway.app-bot',
  request: z.object({
    v: z.literal(1),
    instance: InstanceId,
    /** As people see it in Talk; Talk takes 64 bytes. */
    name: z.string().min(1).max(64),
    description: z.string().max(4_000),
    replyKey: ReplyKey,
  }),
  reply: z.object({
    v: z.literal(1),
    /** JWE (ECDH-ES, A256GCM) of the secret with which the bot signs. */
    sealedSecret: z.string().min(1).max(1_000),
  }),
  timeoutMs: 10_000,
});

/** Removes that bot, from all rooms. */
export const UnregisterAppBot = defineRequest({
  name: 'gateway.app-bot-removal.v1',
  subject: 'gateway.app-bot-removal',
  request: z.object({ v: z.literal(1), instance: InstanceId }),
  reply: z.object({
    v: z.literal(1),
    /** False: there was none. */
    removed: z.boolean(),
  }),
  timeoutMs: 10_000,
});
