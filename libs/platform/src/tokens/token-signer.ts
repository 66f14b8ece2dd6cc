import type { SigningKey } from '@nuqloud/contracts';
import { importJWK, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';

/** Signs compact EdDSA tokens in the name of one service. */
export class TokenSigner {
  private readonly key: ReturnType<typeof importJWK>;

  constructor(
    private readonly issuer: string,
    private readonly signingKey: SigningKey,
  ) {
    this.key = importJWK(signingKey, 'EdDSA');
  }

  /** @param claims need `iat` and `exp` in seconds and `aud`; the issuer is added */
  async sign(type: string, claims: JWTPayload): Promise<string> {
    return new SignJWT({ ...claims, iss: this.issuer })
      .setProtectedHeader({ alg: 'EdDSA', typ: type, kid: this.signingKey.kid })
      .sign(await this.key);
  }
}
