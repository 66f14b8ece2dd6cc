/** What a model's failure is known by; the values are stored in the steps of a turn. */
export const MODEL_FAILURES = {
  UNREACHABLE: 'MODEL.UNREACHABLE',
  TIMEOUT: 'MODEL.TIMEOUT',
  /** The endpoint says that it is broken or has no time. */
  UNAVAILABLE: 'MODEL.UNAVAILABLE',
  /** Too much was asked of it: it wants to be left alone for a while. */
  BUSY: 'MODEL.BUSY',
  /** What came is no completion. */
  GARBAGE: 'MODEL.GARBAGE',
  /** The key is wrong, or may not do this. */
  UNAUTHORIZED: 'MODEL.UNAUTHORIZED',
  /** There is no such model, or nothing at that base URL. */
  NOT_FOUND: 'MODEL.NOT_FOUND',
  /** Something else about the request is wrong. */
  REFUSED: 'MODEL.REFUSED',
  /** The conversation does not fit the model. */
  TOO_LONG: 'MODEL.TOO_LONG',
  /** The provider's content filter withheld the answer. */
  FILTERED: 'MODEL.FILTERED',
} as const;
export type ModelFailureCode = (typeof MODEL_FAILURES)[keyof typeof MODEL_FAILURES];
