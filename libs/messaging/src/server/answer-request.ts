import type { BroadcastContract, RequestContract } from '@nuqloud/contracts';
import { describeError, errorCode } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { ServiceMsg } from 'nats';
import { INBOX_PREFIX } from '../client/connect';
import { BUS_ERRORS, BusError } from '../errors';
import { decodeBody, encodeBody } from '../wire/body';
import { toErrorReply } from '../wire/error-reply';
import { fromHeaders } from '../wire/message-context';
import type { MessageContext } from '../wire/message-context';
import type { Invoke } from './bus-server';
import type { EndpointStatistics } from './endpoint-statistics';
import type { InFlightLimit } from './in-flight-limit';

interface Question {
  readonly contract: RequestContract | BroadcastContract;
  readonly message: ServiceMsg;
  readonly invoke: Invoke;
  readonly limit: InFlightLimit;
  readonly statistics: EndpointStatistics;
  readonly logger: Logger;
  readonly service: string;
}

/** Parses, runs and answers one request. Never rejects: whatever happens is the caller's typed error. */
export const answerRequest = async (question: Question): Promise<void> => {
  const { contract, message, statistics, logger } = question;
  // Whoever asks names where the answer goes, and the server lets us answer there: into somebody else's stream, or to
  // the API that purges one. Only inboxes are for answers.
  if (message.reply && !message.reply.startsWith(INBOX_PREFIX)) {
    logger.warn({ event: 'bus.reply-subject-refused', contract: contract.name });
    return;
  }
  const startedAt = performance.now();
  const context = fromHeaders(message.headers, Date.now() + contract.timeoutMs);
  let failedWith: string | undefined;
  try {
    const reply = await question.limit.run(() => handle(question, context));
    message.respond(encodeBody(`The reply to ${contract.name}`, reply));
  } catch (error) {
    failedWith = errorCode(error);
    refuse(question, context, error);
  }
  statistics.count(performance.now() - startedAt, failedWith);
};

const handle = async ({ contract, message, invoke }: Question, context: MessageContext): Promise<unknown> => {
  if (Date.now() >= context.deadline) {
    throw new BusError(BUS_ERRORS.TIMEOUT, `${contract.name} waited in line until its deadline had passed.`);
  }
  const request = decodeBody(contract.name, contract.request, message.data, BUS_ERRORS.INVALID_REQUEST);
  return invoke(request, context);
};

const refuse = (
  { message, logger, service, contract }: Question,
  context: MessageContext,
  error: unknown,
): void => {
  logger.warn({
    event: 'bus.request-failed',
    contract: contract.name,
    correlationId: context.correlationId,
    ...describeError(error),
  });
  try {
    const { body, headers } = toErrorReply(service, error);
    message.respond(encodeBody('The refusal', body), { headers });
  } catch (sendError) {
    // The connection is gone; the caller will see its own time-out.
    logger.warn({ event: 'bus.reply-lost', contract: contract.name, ...describeError(sendError) });
  }
};
