import { z } from 'zod';
import type { InstanceId } from '../ids';
import { ToolName } from '../ids';

/** `typ` header and audience of the token with which a tool service names itself to the gateway. */
export const SERVICE_TOKEN_TYPE = 'nuqloud-service+jwt';
export const GATEWAY_AUDIENCE = 'nextcloud-gateway';
/** Seconds a service token is good for: it belongs to one request. */
export const SERVICE_TOKEN_TTL_S = 60;

/** `POST` here: who would act? */
export const RESOLVE_PATH = '/resolve';

/**
 * Where the gateway answers for a Nextcloud, with that Nextcloud's own methods.
 * @param path and query below Nextcloud's base URL, e.g. `/remote.php/dav/files/alice/`, each segment encoded once
 */
export const nextcloudPath = (instance: InstanceId, path: string): string => `/nextcloud/${instance}${path}`;

/** Claims of a service token: `iss` is the service, method and path bind it to one request. */
export const ServiceTokenClaims = z.object({
  iss: z.string().min(1),
  aud: z.literal(GATEWAY_AUDIENCE),
  method: z.string().min(1).max(20),
  /** Path and query as sent, without the gateway's origin. */
  path: z.string().startsWith('/').max(16_000),
  jti: z.string().min(16).max(64),
  iat: z.number().int(),
  exp: z.number().int(),
});
export type ServiceTokenClaims = z.infer<typeof ServiceTokenClaims>;

/** Request headers a tool service sends to the gateway, in lower case. */
export const GATEWAY_HEADERS = {
  /** `Bearer <service token>` */
  serviceToken: 'authorization',
  attestation: 'x-nuqloud-attestation',
  tool: 'x-nuqloud-tool',
  /** What the tool believes it acts as, from `resolve`; a difference is refused. */
  mode: 'x-nuqloud-mode',
  profile: 'x-nuqloud-profile',
  /** Percent-encoded, because a user id may hold any character. */
  uid: 'x-nuqloud-uid',
} as const;

/** Response header that tells an answer of the gateway itself (an error) from one of Nextcloud. */
export const GATEWAY_ERROR_HEADER = 'x-nuqloud-gateway-error';

export const ActingMode = z.enum(['user', 'agent']);
export type ActingMode = z.infer<typeof ActingMode>;

/** `POST /resolve`: who would act if this tool ran for this message? */
export const ResolveRequest = z.object({ v: z.literal(1), tool: ToolName });
export type ResolveRequest = z.infer<typeof ResolveRequest>;

export const ResolvedIdentity = z.object({
  v: z.literal(1),
  mode: ActingMode,
  /** Agent profile, null in user mode. */
  profile: z.string().max(40).nullable(),
  uid: z.string().min(1).max(64),
});
export type ResolvedIdentity = z.infer<typeof ResolvedIdentity>;

/** Body of every refusal of the gateway. */
export const GatewayError = z.object({
  v: z.literal(1),
  code: z.string().max(80),
  message: z.string().max(1_000),
});
export type GatewayError = z.infer<typeof GatewayError>;
