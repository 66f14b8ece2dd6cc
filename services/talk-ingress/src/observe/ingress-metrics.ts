import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Webhooks are answered within milliseconds; everything above a second is an outage. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 2.5];

/** Of one bot's webhooks since the process began. */
export interface Signatures {
  readonly verified: number;
  /** Since the last that was right. */
  readonly wrongInARow: number;
}

/** Outcomes of webhooks whose signature was not looked at, or was wrong. */
const UNVERIFIED: ReadonlySet<string> = new Set(['UNKNOWN_BOT', 'TOO_LARGE', 'ABORTED', 'BAD_SIGNATURE']);

const isVerified = (outcome: string): boolean => !UNVERIFIED.has(outcome);

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

  readonly appBotCanAnswer = new Gauge({
    name: 'nuqloud_ingress_app_bot_can_answer',
    help: 'Whether the bot that is registered through AppAPI could answer when this process started: 1 yes, 0 no or not known.',
    labelNames: ['instance'],
    registers: [this.registry],
  });

  private readonly signatures = new Map<string, Signatures>();

  /** @param bot undefined when it is unknown */
  countWebhook(bot: string | undefined, outcome: string): void {
    this.webhooks.inc({ bot: bot ?? '', outcome });
    if (bot === undefined || !(outcome === 'BAD_SIGNATURE' || isVerified(outcome))) return;
    const { verified, wrongInARow } = this.signaturesOf(bot);
    this.signatures.set(
      bot,
      isVerified(outcome)
        ? { verified: verified + 1, wrongInARow: 0 }
        : { verified, wrongInARow: wrongInARow + 1 },
    );
  }

  signaturesOf(bot: string): Signatures {
    return this.signatures.get(bot) ?? { verified: 0, wrongInARow: 0 };
  }
}
