/** Why the gateway refused; the `code` of a GatewayError and of its answers on the bus. */
export const GATEWAY_REFUSALS = {
  /** The service token is missing, forged, expired, for another request, or of a service without a family. */
  UNAUTHENTICATED_SERVICE: 'GATEWAY.UNAUTHENTICATED_SERVICE',
  /** This service token was used before. */
  TOKEN_REPLAYED: 'GATEWAY.TOKEN_REPLAYED',
  /** The attestation is missing, forged or expired. */
  INVALID_ATTESTATION: 'GATEWAY.INVALID_ATTESTATION',
  /** The attestation is of another instance than the one in the path. */
  WRONG_INSTANCE: 'GATEWAY.WRONG_INSTANCE',
  UNKNOWN_INSTANCE: 'GATEWAY.UNKNOWN_INSTANCE',
  /** The instance has no AppAPI values, without which nobody can act there. */
  NO_APPAPI: 'GATEWAY.NO_APPAPI',
  /** The writer is no local user: a guest, a federated user, a bot, a bridge. */
  NOT_A_LOCAL_USER: 'GATEWAY.NOT_A_LOCAL_USER',
  /** Only messages and attachments can make somebody act. */
  KIND_CANNOT_ACT: 'GATEWAY.KIND_CANNOT_ACT',
  /** The tool belongs to another family than the calling service. */
  FOREIGN_TOOL: 'GATEWAY.FOREIGN_TOOL',
  /** The bot has not been given this tool. */
  NOT_GRANTED: 'GATEWAY.NOT_GRANTED',
  AGENT_MODE_UNAVAILABLE: 'GATEWAY.AGENT_MODE_UNAVAILABLE',
  /** Mode, profile or uid of the request differ from what the gateway resolves. */
  IDENTITY_MISMATCH: 'GATEWAY.IDENTITY_MISMATCH',
  INVALID_REQUEST: 'GATEWAY.INVALID_REQUEST',
  /** The path could be read in more than one way. */
  INVALID_PATH: 'GATEWAY.INVALID_PATH',
  /** Method, path, query or search scope are not in the family's table. */
  NOT_ALLOWED: 'GATEWAY.NOT_ALLOWED',
  TOO_LARGE: 'GATEWAY.TOO_LARGE',
  NOT_FOUND: 'GATEWAY.NOT_FOUND',
  /** Nextcloud took the person for somebody else. */
  NOT_THAT_PERSON: 'GATEWAY.NOT_THAT_PERSON',
  /** Nextcloud did not accept the AppAPI login of the gateway. */
  CREDENTIALS_REFUSED: 'GATEWAY.CREDENTIALS_REFUSED',
  /** Nextcloud has no Talk, or one without bots, so that no bot can be registered. */
  NO_TALK: 'GATEWAY.NO_TALK',
  /** No `historyReader` is provisioned for the instance. */
  NO_HISTORY_READER: 'GATEWAY.NO_HISTORY_READER',
  /** Nextcloud sent us elsewhere; nothing was followed. */
  REDIRECTED: 'GATEWAY.REDIRECTED',
  /** Nextcloud asked for less; nothing is sent until `Retry-After`. */
  BACKING_OFF: 'GATEWAY.BACKING_OFF',
  /** No connection stood: a write was not sent. */
  UNREACHABLE: 'GATEWAY.UNREACHABLE',
  /** No answer in time; of a write, that it was not even sent. */
  TIMEOUT: 'GATEWAY.TIMEOUT',
  /** A write was sent and no answer came: it may be done or not. It is repeated only after a look. */
  OUTCOME_UNKNOWN: 'GATEWAY.OUTCOME_UNKNOWN',
  /** Nextcloud's answer is not what its API promises. */
  UNREADABLE_ANSWER: 'GATEWAY.UNREADABLE_ANSWER',
  /** The gateway's own database cannot be asked. */
  STORE_UNAVAILABLE: 'GATEWAY.STORE_UNAVAILABLE',
  /** A write could not be recorded in the audit, so it was not sent. */
  NOT_AUDITED: 'GATEWAY.NOT_AUDITED',
  INTERNAL: 'GATEWAY.INTERNAL',
} as const;

export type GatewayRefusalCode = (typeof GATEWAY_REFUSALS)[keyof typeof GATEWAY_REFUSALS];
