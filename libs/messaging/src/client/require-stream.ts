import type { StreamContract, SubjectParams } from '@nuqloud/contracts';
import type { z } from 'zod';
import { Empty, NatsError } from 'nats';
import { BUS_ERRORS, BusError } from '../errors';
import { subjectOf } from '../wire/subject';
import type { Bus } from './bus';
import { requestError } from './request-error';

/** JetStream's "expected stream does not match". */
const ANOTHER_STREAM = 10_060;
/**
 * The stream is in another account, and from there comes no "nobody hears this": silence is what a missing stream says.
 * Longer than a cluster needs to elect a leader.
 */
const ANSWERS_WITHIN_MS = 2_500;

/**
 * Makes sure that what is appended will be stored. Whoever may only append may not ask for a stream, so this sends what
 * the stream refuses, and takes the refusal for its sign of life: nothing is stored.
 * @throws BusError NOT_SET_UP when nothing stores that subject, or another stream does
 */
export const requireStream = async <S extends string>(
  bus: Bus,
  contract: StreamContract<S, z.ZodType>,
  params: SubjectParams<S>,
): Promise<void> => {
  const { stream } = contract;
  try {
    await bus.connection.jetstream().publish(subjectOf(contract.subject, params), Empty, {
      expect: { streamName: stream, lastSequence: Number.MAX_SAFE_INTEGER },
      timeout: ANSWERS_WITHIN_MS,
    });
  } catch (error) {
    const refusal = error instanceof NatsError ? error.api_error?.err_code : undefined;
    if (refusal !== undefined && refusal !== ANOTHER_STREAM) return;
    const cause = requestError(contract.name, error);
    const isMissing = refusal === ANOTHER_STREAM || isUnheard(cause);
    if (!isMissing) throw cause;
    throw new BusError(
      BUS_ERRORS.NOT_SET_UP,
      `The bus has no stream ${stream}; \`npm run nuqloud -- init\` makes it.`,
      cause,
    );
  }
};

/** By a server that knows of such a stream, or by one whose configuration does not. */
const isUnheard = (error: unknown): boolean =>
  error instanceof BusError && (error.code === BUS_ERRORS.TIMEOUT || error.code === BUS_ERRORS.NO_RESPONDERS);
