import { z } from 'zod';

const UnverifiedClaims = z.object({ iss: z.string().max(40) });

/** With whose key a token says it was signed; until that is checked the name proves nothing. */
export const claimedIssuer = (token: string): string | undefined => {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return UnverifiedClaims.parse(JSON.parse(payload)).iss;
  } catch {
    // What is wrong with it is found, and said, when it is verified.
    return undefined;
  }
};
