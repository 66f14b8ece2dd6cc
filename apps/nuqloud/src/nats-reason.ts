import { errorCode } from '@nuqloud/platform';

/** What NATS answers, for the person who runs the server. */
const REASONS: Readonly<Record<string, (user: string) => string>> = {
  CONNECTION_REFUSED: () => 'no server answers there',
  TIMEOUT: () => 'no server answers there in time',
  AUTHORIZATION_VIOLATION: (user) =>
    `the server does not know the key of ${user}; does it run with the nats.conf that \`keys init\` wrote to KEYS_DIR?`,
  PERMISSIONS_VIOLATION: (user) =>
    `${user} may not do this there; does the server run with the nats.conf that \`keys init\` wrote last to KEYS_DIR?`,
  '404': () => 'a stream is missing there; `npm run nuqloud -- init` makes it',
  '503': () => 'JetStream is not switched on there',
};

/** Why `user` cannot work with the server at NATS_URL. */
export const natsReason = (cause: unknown, user: string): string =>
  REASONS[errorCode(cause)]?.(user) ?? errorCode(cause);
