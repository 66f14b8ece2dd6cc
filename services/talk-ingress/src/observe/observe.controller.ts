import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { IngressMetrics } from './ingress-metrics';
import { Readiness } from './readiness';

/** For orchestrators and dashboards. */
@Controller()
export class ObserveController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: IngressMetrics,
  ) {}

  /** The process lives. */
  @Get('healthz')
  health(): object {
    return { status: 'ok' };
  }

  @Get('readyz')
  ready(): object {
    const { checks, takesWebhooks } = this.readiness;
    if (!takesWebhooks) {
      throw new ServiceUnavailableException({ status: 'unavailable', checks });
    }
    return { status: 'ok', checks };
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  expose(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
