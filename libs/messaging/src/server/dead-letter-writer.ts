import { DeadLetter, ServiceName } from '@nuqloud/contracts';
import type { StreamContract } from '@nuqloud/contracts';
import { AppError, errorCode } from '@nuqloud/platform';
import type { JsMsg } from 'nats';
import type { Bus } from '../client/bus';
import { requireStream } from '../client/require-stream';
import { fromHeaders } from '../wire/message-context';

const ACK_TIMEOUT_MS = 2_000;
const MAX_REASON = 1_000;

/** Notes what a service gives up of the streams it reads, so that an administrator can find out why and put it back. */
export class DeadLetterWriter {
  private readonly service: ServiceName;

  constructor(private readonly bus: Bus) {
    this.service = ServiceName.parse(bus.service);
  }

  /** @throws BusError NOT_SET_UP: nothing could ever be given up */
  async require(): Promise<void> {
    await requireStream(this.bus, DeadLetter, { service: this.service });
  }

  /** Returns once it is noted for good. @throws BusError when that is not certain */
  async write(contract: StreamContract, message: JsMsg, error: unknown): Promise<void> {
    const { stream, redeliveryCount: deliveries } = message.info;
    const context = fromHeaders(message.headers, Date.now() + ACK_TIMEOUT_MS);
    const letter = {
      v: 1,
      at: new Date().toISOString(),
      service: this.service,
      contract: contract.name,
      stream,
      sequence: message.seq,
      subject: message.subject,
      correlationId: context.correlationId,
      deliveries,
      code: errorCode(error),
      // Words of foreign errors may quote what somebody wrote.
      reason: error instanceof AppError ? error.message.slice(0, MAX_REASON) : '',
    } as const;
    await this.bus.append(DeadLetter, { service: this.service }, letter, {
      messageId: `${stream}:${message.seq}`,
      timeoutMs: ACK_TIMEOUT_MS,
    });
  }
}
