/** The reaction shown on a message while work on it goes on. */
export const WORKING = '👀';
