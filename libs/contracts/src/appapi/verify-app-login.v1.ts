import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId } from '../ids';

/** 32 bytes, base64url. */
const Bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');

/** Stands before the secret in what is proved, so that a proof is one for nothing else. */
export const APP_LOGIN_PROOF_PREFIX = 'nuqloud-app-login.v1.';

export const AppLogin = z.object({
  v: z.literal(1),
  /** `EX-APP-ID` */
  appId: z.string().min(1).max(64),
  /** `EX-APP-VERSION` */
  version: z.string().min(1).max(40),
  /** Random, for this one question. */
  nonce: Bytes32,
  /** HMAC-SHA256, by the nonce, over the prefix and the secret that the header holds. The secret itself never enters the bus. */
  proof: Bytes32,
});
export type AppLogin = z.infer<typeof AppLogin>;

export const AppLoginVerdict = z.discriminatedUnion('accepted', [
  z.object({ v: z.literal(1), accepted: z.literal(true), instance: InstanceId }),
  z.object({
    v: z.literal(1),
    accepted: z.literal(false),
    /** `AMBIGUOUS`: several instances have this app id and this secret, so that nobody can tell which one calls. */
    reason: z.enum(['UNKNOWN_APP', 'WRONG_SECRET', 'WRONG_VERSION', 'AMBIGUOUS']),
    /** Of a wrong version: the one that this installation has. */
    expected: z.string().max(40).optional(),
  }),
]);
export type AppLoginVerdict = z.infer<typeof AppLoginVerdict>;

/**
 * Whether the headers with which somebody came to talk-ingress are those of a Nextcloud's AppAPI. The secret by which to
 * tell is the gateway's alone.
 */
export const VerifyAppLogin = defineRequest({
  name: 'gateway.app-login.v1',
  subject: 'gateway.app-login',
  request: AppLogin,
  reply: AppLoginVerdict,
  // Nextcloud itself waits 3 s for what comes after.
  timeoutMs: 2_000,
});
