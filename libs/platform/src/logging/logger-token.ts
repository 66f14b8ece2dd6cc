/** Nest's injection token of the service's `Logger`, which is an interface and so no token itself. */
export const LOGGER = Symbol('Logger');
