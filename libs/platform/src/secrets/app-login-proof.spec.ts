import { randomBytes } from 'node:crypto';
import { appLoginProof, provesAppLogin } from './app-login-proof';

const nonce = () => randomBytes(32).toString('base64url');

describe('a proof of an AppAPI login', () => {
  it('holds for its secret and its nonce alone', () => {
    const [one, other] = [nonce(), nonce()];
    const proof = appLoginProof('app-secret', one);
    expect(proof).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(provesAppLogin('app-secret', one, proof)).toBe(true);
    expect(provesAppLogin('app-secret', other, proof)).toBe(false);
    expect(provesAppLogin('app-secret ', one, proof)).toBe(false);
    expect(provesAppLogin('', one, proof)).toBe(false);
    expect(provesAppLogin('app-secret', one, proof.slice(1))).toBe(false);
  });
});
