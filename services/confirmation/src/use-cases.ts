import type { PublicKeyFile } from '@nuqloud/contracts';
import type { Logger, TokenSigner } from '@nuqloud/platform';
import { TokenVerifier } from '@nuqloud/platform';
import { AnswerConfirmation } from './answer/answer-confirmation';
import { GrantActions } from './answer/grant-actions';
import { ReadAttested } from './attest/read-attested';
import { ClaimApproval } from './claim/claim-approval';
import { SweepConfirmations } from './expire/sweep-confirmations';
import type { AuditLog } from './ports/audit-log';
import type { Bots } from './ports/bots';
import type { Claims } from './ports/claims';
import type { Clock } from './ports/clock';
import type { Prompts } from './ports/prompts';
import type { Talk } from './ports/talk';
import { ProposeConfirmation } from './propose/propose-confirmation';
import { ReadProposals } from './propose/read-proposals';

/** Everything that the use cases need of the world. */
export interface World {
  readonly publicKeys: PublicKeyFile;
  readonly signer: TokenSigner;
  readonly logger: Logger;
  readonly ttlMs: number;
  readonly clock: Clock;
  /** A whole number from 0 to below its argument. */
  readonly random: (below: number) => number;
  readonly bots: Bots;
  readonly prompts: Prompts;
  readonly claims: Claims;
  readonly talk: Talk;
  readonly audit: AuditLog;
}

export interface UseCases {
  readonly propose: ProposeConfirmation;
  readonly answer: AnswerConfirmation;
  readonly claim: ClaimApproval;
  readonly sweep: SweepConfirmations;
}

/** What the service does, without the framework that carries it. */
export const createUseCases = (world: World): UseCases => {
  const { publicKeys, signer, logger, clock, bots, prompts, claims, talk, audit } = world;
  const attested = new ReadAttested(publicKeys, clock);
  const grants = new GrantActions(prompts, signer, clock);
  return {
    propose: new ProposeConfirmation(
      attested,
      new ReadProposals(publicKeys, clock),
      bots,
      prompts,
      talk,
      audit,
      world,
    ),
    answer: new AnswerConfirmation(attested, bots, prompts, talk, audit, grants, world),
    claim: new ClaimApproval(new TokenVerifier(publicKeys, clock), claims, audit, clock),
    sweep: new SweepConfirmations(prompts, claims, talk, audit, logger, world),
  };
};
