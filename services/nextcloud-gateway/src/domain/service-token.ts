import type { ServiceTokenClaims } from '@nuqloud/contracts';
import { SERVICE_TOKEN_TTL_S } from '@nuqloud/contracts';

/** Clocks of two machines may differ by this much. */
const CLOCK_SKEW_S = 30;

/** What the token was made for, compared with what it came with. */
export const isForThisRequest = (
  claims: Pick<ServiceTokenClaims, 'method' | 'path'>,
  request: { readonly method: string; readonly url: string },
): boolean => claims.method === request.method && claims.path === request.url;

/** A service cannot give itself a token for longer than the protocol says: used ids are remembered that long. */
export const hasProperLifetime = (
  { iat, exp }: Pick<ServiceTokenClaims, 'iat' | 'exp'>,
  nowMs: number,
): boolean => exp > iat && exp - iat <= SERVICE_TOKEN_TTL_S && iat <= nowMs / 1000 + CLOCK_SKEW_S;
