import type { AttestationClaims, AuditRecordBody } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { AuditLog } from '../ports/audit-log';
import type { NextcloudAnswer } from '../ports/nextcloud';
import type { ActingIdentity } from '../resolve-identity/resolve-identity';

/** What is about to be changed, by whom and for whom. */
export interface Write {
  readonly identity: Pick<ActingIdentity, 'mode' | 'profile' | 'uid' | 'attested'>;
  /** The tool service. */
  readonly caller: string;
  readonly tool: string;
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly destination: string | undefined;
}

/** Lets no write leave that is not recorded before, and records afterwards what came of it. */
export class AuditedWrites {
  constructor(
    private readonly log: AuditLog,
    private readonly logger: Logger,
    private readonly newId: () => string,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param send makes the request; it is not called when the attempt cannot be recorded
   * @throws GatewayRefusal NOT_AUDITED, and what `send` throws
   */
  async carryOut(write: Write, send: () => Promise<NextcloudAnswer>): Promise<NextcloudAnswer> {
    const attempt = await this.recordAttempt(write);
    try {
      const answer = await send();
      await this.recordOutcome(write, attempt, answer.status);
      return answer;
    } catch (error) {
      const status = error instanceof GatewayRefusal ? error.nextcloudStatus : undefined;
      await this.recordOutcome(write, attempt, status ?? null);
      throw error;
    }
  }

  private async recordAttempt(write: Write): Promise<string> {
    const { caller, tool, method, path, destination } = write;
    const { mode, profile, uid } = write.identity;
    const record: AuditRecordBody = {
      ...this.about(write.identity.attested),
      kind: 'nextcloud.write',
      ...{ caller, tool, mode, profile, uid, method, path },
      ...(destination !== undefined && { destination }),
    };
    try {
      await this.log.append(record);
    } catch (cause) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.NOT_AUDITED,
        'Nothing was changed: the change could not be recorded in the audit at the moment. Try again shortly.',
        { cause },
      );
    }
    return record.id;
  }

  /** The deed is done, or not: that this cannot be recorded changes nothing for the one who waits. */
  private async recordOutcome({ identity }: Write, attempt: string, status: number | null): Promise<void> {
    try {
      await this.log.append({ ...this.about(identity.attested), kind: 'nextcloud.written', attempt, status });
    } catch (error) {
      this.logger.error({ event: 'gateway.outcome-not-audited', attempt, status, ...describeError(error) });
    }
  }

  private about({ instance, bot, room, message, sub }: AttestationClaims) {
    return {
      v: 1,
      id: this.newId(),
      at: new Date(this.now()).toISOString(),
      service: 'nextcloud-gateway',
      ...{ instance, bot, room, message },
      person: sub,
    } as const;
  }
}
