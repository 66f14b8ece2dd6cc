import { ErrorCode, NatsError } from 'nats';
import { BUS_ERRORS, BusError } from '../errors';

/** Turns what the client library throws into a typed error of the one request it belongs to. */
export const requestError = (contract: string, error: unknown): unknown => {
  if (!(error instanceof NatsError)) return error;
  switch (error.code as ErrorCode) {
    case ErrorCode.Timeout:
      return new BusError(BUS_ERRORS.TIMEOUT, `${contract} was not answered in time.`, error);
    case ErrorCode.NoResponders:
    case ErrorCode.JetStream404NoMessages:
      return new BusError(BUS_ERRORS.NO_RESPONDERS, `Nobody answers ${contract} at the moment.`, error);
    case ErrorCode.MaxPayloadExceeded:
      return new BusError(BUS_ERRORS.TOO_LARGE, `${contract} is larger than the bus allows.`, error);
    case ErrorCode.PermissionsViolation:
      return new BusError(BUS_ERRORS.NOT_PERMITTED, `This service may not send ${contract}.`, error);
    default:
      return new BusError(BUS_ERRORS.DISCONNECTED, `${contract} could not be sent: ${error.code}.`, error);
  }
};
