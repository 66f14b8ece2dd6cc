import type { ActionOutcome } from '@nuqloud/contracts';
import type { Prisma, PrismaClient } from '@nuqloud/database';
import type { ClaimedAction, ClaimResult, NewClaim, SettleResult } from '../ports/claims';
import { Claims } from '../ports/claims';
import { CHANGE, fromStore } from './from-store';
import { toOutcomeColumn } from './prompt-rows';

type Recording = (action: ClaimedAction) => Promise<void>;

/** A claim with its place, `FOR UPDATE`. */
type ClaimRow = ClaimedAction & { readonly state: string; readonly approved: unknown };

export class PrismaClaims extends Claims {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  override claim(claim: NewClaim, record: Recording): Promise<ClaimResult> {
    return fromStore(
      this.prisma.$transaction(async (tx) => {
        const action = await take(tx, claim);
        if (action) {
          await record(action);
          return 'claimed' as const;
        }
        return (await wasTaken(tx, claim)) ? ('taken' as const) : ('not-approved' as const);
      }, CHANGE),
    );
  }

  override settle(claimHash: string, outcome: ActionOutcome, record: Recording): Promise<SettleResult> {
    return fromStore(
      this.prisma.$transaction(async (tx) => {
        const [row] = await tx.$queryRaw<ClaimRow[]>`
          SELECT a.confirmation_id AS confirmation, a.n, a.provider, a.tool, a.hash, a.state,
            a.action AS approved,
            c.instance, c.bot, c.room, c.sub, c.answer AS message
          FROM confirmation_actions a JOIN confirmations c ON c.id = a.confirmation_id
          WHERE a.claim_hash = ${claimHash} FOR UPDATE OF a`;
        if (!row) return 'no-such-claim' as const;
        const { state, approved, ...action } = row;
        if (state === 'done' || state === 'failed') return 'settled-before' as const;
        await tx.$executeRaw`
          UPDATE confirmation_actions
          SET state = ${outcome.state}, outcome = to_jsonb(${toOutcomeColumn(outcome, approved)}::text), action = NULL
          WHERE claim_hash = ${claimHash}`;
        await record(action);
        return 'settled' as const;
      }, CHANGE),
    );
  }

  override async settleOverdue(at: number, limit: number, record: Recording): Promise<number> {
    return fromStore(
      this.prisma.$transaction(async (tx) => {
        const rows = await tx.$queryRaw<ClaimedAction[]>`
          UPDATE confirmation_actions a SET state = 'unknown'
          FROM confirmations c
          WHERE c.id = a.confirmation_id AND (a.confirmation_id, a.n) IN (
            SELECT confirmation_id, n FROM confirmation_actions
            WHERE state = 'claimed' AND claim_deadline <= ${new Date(at)}
            ORDER BY claim_deadline LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING a.confirmation_id AS confirmation, a.n, a.provider, a.tool, a.hash,
            c.instance, c.bot, c.room, c.sub, c.answer AS message`;
        for (const row of rows) await record(row);
        return rows.length;
      }, CHANGE),
    );
  }

  override lapse(approvedBefore: number): Promise<number> {
    return fromStore(
      this.prisma.$executeRaw`
        UPDATE confirmation_actions a SET action = NULL FROM confirmations c
        WHERE c.id = a.confirmation_id AND c.state = 'approved' AND c.answered_at < ${new Date(approvedBefore)}
          AND a.state IN ('asked', 'unknown') AND a.action IS NOT NULL`,
    );
  }
}

/** The one compare-and-set that decides who may act. */
const take = async (tx: Prisma.TransactionClient, claim: NewClaim): Promise<ClaimedAction | undefined> => {
  const [row] = await tx.$queryRaw<ClaimedAction[]>`
    UPDATE confirmation_actions a
    SET state = 'claimed', claimant = ${claim.claimant}, grant_id = ${claim.grantId}, claim_hash = ${claim.claimHash},
      claimed_at = ${new Date(claim.at)}, claim_deadline = ${new Date(claim.deadline)}
    FROM confirmations c
    WHERE a.confirmation_id = ${claim.confirmation}::uuid AND a.n = ${claim.n} AND a.hash = ${claim.hash}
      AND a.state = 'asked' AND a.action IS NOT NULL
      AND c.id = a.confirmation_id AND c.state = 'approved' AND c.sub = ${claim.sub} AND c.answer = ${claim.message}
    RETURNING a.confirmation_id AS confirmation, a.n, a.provider, a.tool, a.hash,
      c.instance, c.bot, c.room, c.sub, c.answer AS message`;
  return row;
};

const wasTaken = async (
  tx: Prisma.TransactionClient,
  { confirmation, n, hash }: NewClaim,
): Promise<boolean> =>
  (await tx.confirmationAction.count({
    where: { confirmationId: confirmation, n, hash, state: { not: 'asked' } },
  })) > 0;
