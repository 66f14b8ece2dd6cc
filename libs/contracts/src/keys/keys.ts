import { z } from 'zod';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);

/** An Ed25519 private key as JWK; its `kid` names it in token headers. */
export const SigningKey = z.object({
  kid: z.string().min(1).max(64),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: base64url,
  d: base64url,
});
export type SigningKey = z.infer<typeof SigningKey>;

export const VerificationKey = SigningKey.omit({ d: true });
export type VerificationKey = z.infer<typeof VerificationKey>;

/** `KEYS_DIR/<service>.json`, mode 0600: read by that service alone. */
export const PrivateKeyFile = z.object({
  version: z.literal(1),
  service: z.string(),
  signing: SigningKey,
  /** NATS nkey seed. */
  natsSeed: z.string().startsWith('SU'),
  /** Password of the service's PostgreSQL role. */
  databasePassword: z.string().min(16),
});
export type PrivateKeyFile = z.infer<typeof PrivateKeyFile>;

/** `KEYS_DIR/public.json`: what everybody may know of everybody. Several keys per service: the newest first, older ones until rotation ends. */
export const PublicKeyFile = z.object({
  version: z.literal(1),
  services: z.record(
    z.string(),
    z.object({ signing: z.array(VerificationKey).min(1), nats: z.string().startsWith('U') }),
  ),
});
export type PublicKeyFile = z.infer<typeof PublicKeyFile>;
