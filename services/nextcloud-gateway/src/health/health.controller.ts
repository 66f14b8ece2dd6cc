import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readiness } from './readiness';

interface Health {
  readonly status: 'ok' | 'unavailable';
}

@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  alive(): Health {
    return { status: 'ok' };
  }

  /** Nextcloud and Redis may be away: requests then get their own answer. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    if (await this.readiness.isReady()) return { status: 'ok' };
    void reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: 'unavailable' };
  }
}
