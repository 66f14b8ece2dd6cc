import { setImmediate as settled } from 'node:timers/promises';
import type { BusAccess, MessageContract } from '@nuqloud/contracts';
import { Empty, ErrorCode, Events, headers } from 'nats';
import type { MsgHdrs, NatsConnection } from 'nats';
import { connectToNats, inboxPrefix } from '../client/connect';
import type { BusConnectionOptions } from '../client/connect';
import { MESSAGE_HEADERS } from '../wire/message-context';
import { subjectPattern } from '../wire/subject';

/** What the server lets a service do otherwise than its access says: `publish talk.prompt`. */
export interface ProbedAccess {
  readonly refused: readonly string[];
  readonly allowedTooMuch: readonly string[];
}

/** Stands for whatever a subject leaves open; nobody bears this name. */
const PLACEHOLDER = 'doctor';
/** Hears everything there is: no service may. */
const EVERYTHING = '>';

/**
 * Tries as a service what it may send and hear, and what only others may. Nothing comes of what is sent: a request comes
 * after its deadline and has nowhere to be answered to, and a stream is told to refuse it. An event without a body says nothing.
 * @param everybody the access of all services, to know what others may
 * @throws what the client library throws where the server does not let the service in
 */
export const probeAccess = async (
  options: BusConnectionOptions,
  access: BusAccess,
  everybody: readonly BusAccess[],
): Promise<ProbedAccess> => {
  const connection = await connectToNats(options);
  try {
    const refused = new Set<string>();
    void collectRefusals(connection, refused);
    const own = access.sends.map(subjectIn(access));
    const foreign = everybody
      .flatMap((of) => of.sends.map(subjectIn(of)))
      .filter((subject) => !own.includes(subject));
    const heard = [
      `${inboxPrefix(options.service)}.${PLACEHOLDER}`,
      ...access.receives.map(subjectIn(access)),
    ];
    for (const subject of new Set([...own, ...foreign])) {
      connection.publish(subject, Empty, { headers: withoutEffect() });
    }
    const subscriptions = [...heard, EVERYTHING].map((subject) =>
      connection.subscribe(subject, { callback: () => undefined }),
    );
    await connection.flush();
    await settled(); // what the server said has yet to come through the library's own queue
    for (const subscription of subscriptions) subscription.unsubscribe();
    await connection.flush();
    const must = [...own.map(publishing), ...heard.map(subscribing)];
    const mustNot = [...foreign.map(publishing), subscribing(EVERYTHING)];
    return {
      refused: must.filter((deed) => refused.has(deed)),
      allowedTooMuch: [...new Set(mustNot.filter((deed) => !refused.has(deed)))],
    };
  } finally {
    await connection.close();
  }
};

const publishing = (subject: string): string => `publish ${subject}`;
const subscribing = (subject: string): string => `subscribe to ${subject}`;

const subjectIn =
  ({ params }: BusAccess) =>
  ({ subject }: MessageContract): string =>
    subjectPattern(subject, params).replaceAll('*', PLACEHOLDER);

const withoutEffect = (): MsgHdrs => {
  const result = headers();
  result.set(MESSAGE_HEADERS.deadline, '1');
  result.set('Nats-Expected-Last-Sequence', String(Number.MAX_SAFE_INTEGER));
  return result;
};

/** The server tells of each violation in the order of the deeds, before it answers the flush behind them. */
const collectRefusals = async (connection: NatsConnection, refused: Set<string>): Promise<void> => {
  for await (const status of connection.status()) {
    const { type, data, permissionContext } = status;
    if (type !== Events.Error || data !== ErrorCode.PermissionsViolation || !permissionContext) continue;
    const { operation, subject } = permissionContext;
    refused.add(operation === 'publish' ? publishing(subject) : subscribing(subject));
  }
};
