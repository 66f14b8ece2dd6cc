/** Remembers which service tokens were used, for all replicas together. */
export abstract class ReplayGuard {
  /**
   * @param token the token's issuer and id
   * @param expires seconds since the epoch after which the token is worthless anyway
   * @returns false when the token was used before
   */
  abstract isFirstUse(
    token: { readonly issuer: string; readonly id: string },
    expires: number,
  ): Promise<boolean>;
}
