import { ATTESTATION_TTL_S } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { newContext } from '@nuqloud/messaging';
import { describeError, waitUnlessStopped } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { AuditLog } from '../ports/audit-log';
import type { Claims } from '../ports/claims';
import type { Clock } from '../ports/clock';
import type { AgedPrompt, Prompts } from '../ports/prompts';
import type { Talk } from '../ports/talk';

const EVERY_MS = 30_000;
const AT_ONCE = 50;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long anything of a confirmation is kept. */
const KEPT_MS = 30 * DAY_MS;
/** As long as a message's attestation is good it may still be judged: an answer in time may come late. */
const ATTESTED_MS = ATTESTATION_TTL_S * 1_000;

export interface SweepOptions {
  readonly ttlMs: number;
  readonly clock: Clock;
}

/**
 * Closes what nobody came back to, and forgets. Nothing waits for it: what is overdue counts as such when it is read.
 * Every replica does it; each change happens once.
 */
export class SweepConfirmations {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly prompts: Prompts,
    private readonly claims: Claims,
    private readonly talk: Talk,
    private readonly audit: AuditLog,
    private readonly logger: Logger,
    private readonly options: SweepOptions,
  ) {}

  start(): void {
    this.running = this.loop();
  }

  /** Ends after the sweep in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async sweep(): Promise<void> {
    const now = this.options.clock();
    const context = newContext(Date.now() + EVERY_MS);
    const unknown = await this.settleOverdue(now, context);
    const expired = await this.expire(now, context);
    const lapsed = await this.claims.lapse(now - ATTESTED_MS);
    const forgotten = await this.prompts.forget(now - KEPT_MS);
    if (unknown + expired + lapsed + forgotten > 0) {
      this.logger.info({ event: 'confirmation.swept', unknown, expired, lapsed, forgotten });
    }
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.sweep();
      } catch (error) {
        this.logger.warn({ event: 'confirmation.not-swept', ...describeError(error) });
      }
      await waitUnlessStopped(EVERY_MS, signal);
    }
  }

  private settleOverdue(now: number, context: MessageContext): Promise<number> {
    return this.claims.settleOverdue(now, AT_ONCE, ({ sub: person, ...action }) =>
      this.audit.append([{ ...action, person, kind: 'action.settled', outcome: 'unknown' }], now, context),
    );
  }

  private async expire(now: number, context: MessageContext): Promise<number> {
    const before = now - this.options.ttlMs - ATTESTED_MS;
    let expired = 0;
    for (const prompt of await this.prompts.openSince(before, AT_ONCE)) {
      const end = await this.endOf(prompt, before, context);
      if (end && (await this.end(prompt, end.told, now, context))) expired += 1;
    }
    return expired;
  }

  /** Whether it is over, and whether there is nothing left to tell. */
  private async endOf(
    prompt: AgedPrompt,
    before: number,
    context: MessageContext,
  ): Promise<{ told: boolean } | undefined> {
    if (prompt.postedAt !== null) return { told: false };
    const { id: confirmation, instance, bot, room } = prompt;
    const fate = await this.talk.fateOf({ confirmation, instance, bot, room }, context);
    if (fate.postedAt !== null) {
      await this.prompts.posted(prompt.id, fate.postedAt);
      return fate.postedAt < before ? { told: false } : undefined;
    }
    const givenUp = fate.state === 'failed' || prompt.createdAt < before - DAY_MS;
    return givenUp ? { told: true } : undefined;
  }

  private end(prompt: AgedPrompt, told: boolean, at: number, context: MessageContext): Promise<unknown> {
    const { id: confirmation, instance, bot, room, message, sub: person } = prompt;
    return this.prompts.end(confirmation, { state: 'expired', answer: null, told, at }, () =>
      this.audit.append(
        [
          {
            kind: 'confirmation.answered',
            verdict: 'expired',
            confirmation,
            instance,
            bot,
            room,
            message,
            person,
          },
        ],
        at,
        context,
      ),
    );
  }
}
