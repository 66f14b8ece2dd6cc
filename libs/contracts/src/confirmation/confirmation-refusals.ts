/** Why `confirmation` refused; the `code` of its answers on the bus. */
export const CONFIRMATION_REFUSALS = {
  /** The attestation is missing, forged, expired, of a reaction, or its text or quotation is another. */
  INVALID_ATTESTATION: 'CONFIRM.INVALID_ATTESTATION',
  /** Only a local user who wrote in a chat can be asked or answer. */
  NOT_A_LOCAL_USER: 'CONFIRM.NOT_A_LOCAL_USER',
  /** The plan is forged, expired, or of a service that may not plan for that provider. */
  INVALID_PLAN: 'CONFIRM.INVALID_PLAN',
  /** The hash is not the one of the action, or of the effect that is shown. */
  HASH_MISMATCH: 'CONFIRM.HASH_MISMATCH',
  /** The action is for another person, place or message than the attested one. */
  OTHER_ASKER: 'CONFIRM.OTHER_ASKER',
  TOO_MANY_ACTIONS: 'CONFIRM.TOO_MANY_ACTIONS',
  /** Too long to be read in one message. */
  TOO_LONG: 'CONFIRM.TOO_LONG',
  UNKNOWN_BOT: 'CONFIRM.UNKNOWN_BOT',
  /** The prompt could not be handed to Talk; nothing is pending. */
  NOT_ASKED: 'CONFIRM.NOT_ASKED',
  /** The grant is forged, expired, or of another claimant. */
  INVALID_GRANT: 'CONFIRM.INVALID_GRANT',
  /** Somebody took this approval already. */
  ALREADY_CLAIMED: 'CONFIRM.ALREADY_CLAIMED',
  UNKNOWN_CLAIM: 'CONFIRM.UNKNOWN_CLAIM',
  STORE_UNAVAILABLE: 'CONFIRM.STORE_UNAVAILABLE',
} as const;

export type ConfirmationRefusalCode = (typeof CONFIRMATION_REFUSALS)[keyof typeof CONFIRMATION_REFUSALS];
