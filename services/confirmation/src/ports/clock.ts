/** Milliseconds since the epoch, by this service's clock. */
export type Clock = () => number;
