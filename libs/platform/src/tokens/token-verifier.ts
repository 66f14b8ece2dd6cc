import type { PublicKeyFile, VerificationKey } from '@nuqloud/contracts';
import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose';
import type { z } from 'zod';
import { AppError } from '../errors/app-error';

/** A token that proves nothing here: forged, expired, for somebody else, or of another kind. */
export class InvalidToken extends AppError {
  constructor(reason: string, cause?: unknown) {
    super('TOKEN.INVALID', `The token is not acceptable: ${reason}.`, { cause });
  }
}

export interface ExpectedToken<Claims extends z.ZodType> {
  readonly type: string;
  readonly issuer: string;
  readonly audience: string;
  readonly claims: Claims;
}

const CACHED_TOKENS = 2_000;

/**
 * Verifies tokens of our services by their public keys. One attestation is presented
 * many times within a turn, so verified tokens are kept, bounded, until they expire.
 */
export class TokenVerifier {
  private readonly keys = new Map<string, ReturnType<typeof importJWK>>();
  private readonly verified = new Map<string, { claims: unknown; expires: number }>();

  constructor(
    private readonly publicKeys: PublicKeyFile,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws InvalidToken */
  async verify<Claims extends z.ZodType>(
    token: string,
    expected: ExpectedToken<Claims>,
  ): Promise<z.output<Claims>> {
    const cacheKey = `${expected.type} ${expected.issuer} ${expected.audience} ${token}`;
    const known = this.verified.get(cacheKey);
    if (known && known.expires > this.now()) return known.claims as z.output<Claims>;
    const claims = await this.verifySignature(token, expected);
    this.remember(cacheKey, claims);
    return claims;
  }

  private async verifySignature<Claims extends z.ZodType>(
    token: string,
    expected: ExpectedToken<Claims>,
  ): Promise<z.output<Claims>> {
    try {
      const { payload } = await jwtVerify(token, await this.keyOf(token, expected.issuer), {
        algorithms: ['EdDSA'],
        typ: expected.type,
        issuer: expected.issuer,
        audience: expected.audience,
        requiredClaims: ['iat', 'exp'],
        currentDate: new Date(this.now()),
      });
      return expected.claims.parse(payload);
    } catch (cause) {
      if (cause instanceof InvalidToken) throw cause;
      throw new InvalidToken(reasonOf(cause), cause);
    }
  }

  private async keyOf(token: string, issuer: string): ReturnType<typeof importJWK> {
    const { kid } = decodeProtectedHeader(token);
    const key = this.publicKeys.services[issuer]?.signing.find((candidate) => candidate.kid === kid);
    if (!key) throw new InvalidToken('its key is not known');
    return this.imported(key);
  }

  private imported(key: VerificationKey): ReturnType<typeof importJWK> {
    let imported = this.keys.get(key.kid);
    if (!imported) {
      imported = importJWK(key, 'EdDSA');
      this.keys.set(key.kid, imported);
    }
    return imported;
  }

  private remember(cacheKey: string, claims: unknown): void {
    const { exp } = claims as { exp?: number };
    if (exp === undefined) return;
    if (this.verified.size >= CACHED_TOKENS) {
      const oldest = this.verified.keys().next();
      if (!oldest.done) this.verified.delete(oldest.value);
    }
    this.verified.set(cacheKey, { claims, expires: exp * 1000 });
  }
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return 'it has expired';
  if (cause instanceof errors.JWTClaimValidationFailed) return `its "${cause.claim}" does not fit`;
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it is malformed';
};
