import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Webhooks are answered within milliseconds; everything above a second is an outage. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 2.5];

/** Numbers for dashboards. Labels are slugs and codes that this service knows, never what a client sent. */
export class IngressMetrics {
  readonly registry = new Registry();

  readonly webhooks = new Counter({
    name: 'nuqloud_ingress_webhooks_total',
    help: 'Webhooks by bot (empty when unknown) and outcome; outcome BAD_SIGNATURE counts forgeries.',
    labelNames: ['bot', 'outcome'],
    registers: [this.registry],
  });

  readonly webhookSeconds = new Histogram({
    name: 'nuqloud_ingress_webhook_seconds',
    help: 'Time from the arrival of a webhook to its answer.',
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly spooled = new Gauge({
    name: 'nuqloud_ingress_spooled_events',
    help: "Events on this replica's own disk that the stream has not taken yet.",
    registers: [this.registry],
  });

  readonly posts = new Counter({
    name: 'nuqloud_ingress_posts_total',
    help: 'Calls to Talk by bot and outcome (sent, again, failed, refused).',
    labelNames: ['bot', 'outcome'],
    registers: [this.registry],
  });
}
