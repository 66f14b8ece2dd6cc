import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { Logger } from '@nuqloud/platform';
import type { FastifyReply } from 'fastify';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { describeRefusal } from './describe-refusal';
import { sendRefusal } from './send-refusal';

/** Every answer of the gateway itself that is no success has the same shape, also those that Nest would word. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const refusal = error instanceof HttpException ? fromNest(error) : error;
    this.logger.warn({ event: 'gateway.refused', method: reply.request.method, ...describeRefusal(refusal) });
    reply.hijack();
    sendRefusal(reply.raw, refusal);
  }
}

/** Nest's own messages quote the path, so they are replaced. */
const fromNest = (error: HttpException): GatewayRefusal => {
  switch (error.getStatus()) {
    case 404:
      return new GatewayRefusal(GATEWAY_REFUSALS.NOT_FOUND, 'There is nothing here.');
    case 413:
      return new GatewayRefusal(GATEWAY_REFUSALS.TOO_LARGE, 'The body is too long.');
    default:
      return new GatewayRefusal(GATEWAY_REFUSALS.INVALID_REQUEST, 'The request cannot be read.');
  }
};
