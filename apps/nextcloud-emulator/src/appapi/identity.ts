/** As whom a request acts. */
export type Identity =
  | {
      readonly kind: 'user';
      readonly uid: string;
      readonly via: 'appapi' | 'basic';
      /** The id as the client wrote it; DAV wants it exact, OCS does not mind the case. */
      readonly claimed: string;
    }
  /** An ExApp without a user: may call AppAPI's own routes, is nobody elsewhere. */
  | { readonly kind: 'exapp' }
  | {
      readonly kind: 'anonymous';
      /** What was tried and did not fit; the answers differ. */
      readonly refused: 'basic' | 'bearer' | 'appapi' | null;
    };

export const NOBODY: Identity = { kind: 'anonymous', refused: null };

/** The acting user's id, null for everybody else. */
export function uidOf(identity: Identity): string | null {
  return identity.kind === 'user' ? identity.uid : null;
}
