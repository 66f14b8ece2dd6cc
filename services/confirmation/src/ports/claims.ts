import type { ActionOutcome } from '@nuqloud/contracts';

/** An approval that somebody takes. Times are milliseconds since the epoch. */
export interface NewClaim {
  readonly confirmation: string;
  readonly n: number;
  readonly hash: string;
  readonly sub: string;
  /** The message that approved. */
  readonly message: string;
  readonly claimant: string;
  readonly grantId: string;
  /** SHA-256 of the claim token. */
  readonly claimHash: string;
  readonly at: number;
  readonly deadline: number;
}

/** Which action a claim is about, for the record. */
export interface ClaimedAction {
  readonly confirmation: string;
  readonly n: number;
  readonly provider: string;
  readonly tool: string;
  readonly hash: string;
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly sub: string;
  /** The message that approved. */
  readonly message: string;
}

export type ClaimResult = 'claimed' | 'taken' | 'not-approved';
export type SettleResult = 'settled' | 'settled-before' | 'no-such-claim';

type Recording = (action: ClaimedAction) => Promise<void>;

/** The approvals and who took them, shared by all replicas: of all claims of an action one wins. */
export abstract class Claims {
  abstract claim(claim: NewClaim, record: Recording): Promise<ClaimResult>;
  /**
   * Claims whose deadline has passed become unknown. The action stays for a while: its executor may still say how it went.
   * @returns how many, at most `limit`
   */
  abstract settleOverdue(at: number, limit: number, record: Recording): Promise<number>;
  /** What was approved before a time can neither begin nor is waited for any more: its action is emptied. */
  abstract lapse(approvedBefore: number): Promise<number>;
  /** An outcome that had become unknown is replaced by what its executor says; any other outcome stays. */
  abstract settle(claimHash: string, outcome: ActionOutcome, record: Recording): Promise<SettleResult>;
}
