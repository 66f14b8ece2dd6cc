import type {
  ActionOutcome,
  ActOnApprovalReply,
  ActOnApprovalRequest,
  PlannedAction,
  PlannedEffect,
  PlannedTarget,
  ToolResult,
} from '@nuqloud/contracts';
import { MAX_RESULT_CHARACTERS } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { AppError, effectHash, OutcomeUnknown } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { PlannedCall, Tool, ToolAnswer } from '../define/define-tool';
import { ToolFailure } from '../define/tool-failure';
import { logFailure, tooLate, tooLateToBegin, wordsBeforeActing, wordsFor } from '../run/failure-words';
import { TimeLimit, untilDeadline } from '../run/time-limit';
import type { ToolCatalogue } from '../run/tool-catalogue';
import { failedResult, fitText, resultOf } from '../run/tool-result';
import { approvedCall } from '../run/verified-call';
import type { CreateCall } from '../run/verified-call';
import type { ApprovalClaims, Claim } from './approval-claims';
import type { ApprovalVerifier, VerifiedApproval } from './approval-verifier';
import type { ApprovalOptions } from './call-planner';
import { effectOfCall } from './effect-of-call';

export interface ApprovedCallsOptions<Call> {
  readonly catalogue: ToolCatalogue<Call>;
  readonly verifier: ApprovalVerifier;
  readonly claims: ApprovalClaims;
  readonly identify: ApprovalOptions<Call>['identify'];
  readonly createCall: CreateCall<Call>;
  readonly logger: Logger;
}

/** How it ended, with what only the caller is told of it. */
interface Ending {
  readonly outcome: ActionOutcome;
  readonly foreign?: string | undefined;
}

/** What a look after the "yes" came to. */
type Looked<Call> =
  { readonly planned: PlannedCall<Call>; readonly failure?: never } | { readonly failure: string };

interface Approved<Call> {
  readonly tool: Tool<Call>;
  readonly approval: VerifiedApproval;
  readonly message: MessageContext;
}

/** Of the time for acting, the part that is kept for looking what became of it, and its limit in milliseconds. */
const READ_BACK_SHARE = 0.2;
const READ_BACK_MS = 5_000;

/**
 * Does what a person approved: verify, look, claim, act, settle. Once, and only while what was shown is still so.
 */
export class ApprovedCalls<Call> {
  private readonly settling = new Set<Promise<void>>();

  constructor(private readonly options: ApprovedCallsOptions<Call>) {}

  /** Resolves when all that was done has been told to `confirmation`. */
  async settled(): Promise<void> {
    await Promise.all(this.settling);
  }

  /**
   * @throws AppError where the approval is not to be acted on (APPROVAL_ERRORS, CALL_ERRORS, the codes of
   *   `confirmation`, such as CONFIRM.ALREADY_CLAIMED): then nothing was done by this call
   */
  async act(request: ActOnApprovalRequest, message: MessageContext): Promise<ActOnApprovalReply> {
    const { catalogue, verifier, logger } = this.options;
    const approval = await verifier.verify(request);
    const tool = catalogue.find(request.action.tool);
    const startedAt = performance.now();
    const { outcome, foreign } = await this.claimAndAct({ tool, approval, message });
    logger.info({
      event: 'tool.acted',
      tool: tool.definition.name,
      callId: request.callId,
      correlationId: message.correlationId,
      confirmation: approval.grant.confirmation,
      n: approval.grant.n,
      outcome: outcome.state,
      ms: Math.round(performance.now() - startedAt),
    });
    return { v: 1, result: toResult(outcome, foreign, tool), state: outcome.state };
  }

  private async claimAndAct(approved: Approved<Call>): Promise<Ending> {
    const { approval, message, tool } = approved;
    const { claims } = this.options;
    const time = new TimeLimit(actUntil(message.deadline), tooLate(tool.definition));
    try {
      const looked = await this.lookAgain(approved, time);
      const claim = await claims.take(approval.request.grant, approval.grant.jti, message);
      time.shorten(actUntil(claim.deadline));
      const deadline = Math.min(message.deadline, claim.deadline);
      const ending =
        looked.failure === undefined
          ? await this.endingOf(approved, looked.planned, time, deadline)
          : failed(looked.failure);
      this.settle(claim, ending.outcome, message);
      return ending;
    } finally {
      time.end();
    }
  }

  /** Sent before the answer; that it has arrived changes nothing for the one who waits. */
  private settle(claim: Claim, outcome: ActionOutcome, message: MessageContext): void {
    const settling = this.options.claims.settle(claim, outcome, message).finally(() => {
      this.settling.delete(settling);
    });
    this.settling.add(settling);
  }

  private async lookAgain(approved: Approved<Call>, time: TimeLimit): Promise<Looked<Call>> {
    const { tool, approval } = approved;
    const { action } = approval.request;
    try {
      const planned = await time.race(async () => {
        const call = await this.options.createCall(approvedCall(approval, time.signal));
        const prepared = tool.prepare(action.arguments);
        const [found, same] = await Promise.allSettled([
          prepared.plan(call),
          this.requireSameIdentity(action, call),
        ]);
        // Under another identity whatever else was found wrong follows from that.
        if (same.status === 'rejected') throw same.reason;
        if (found.status === 'rejected') throw found.reason;
        requireUnchanged(action.targets, found.value.targets);
        requireSameEffect(action, (await found.value.effect()) ?? effectOfCall(tool, prepared));
        return found.value;
      });
      return { planned };
    } catch (error) {
      this.log(approved, error);
      const cause = time.signal.aborted ? tooLateToBegin(tool.definition) : error;
      return { failure: wordsBeforeActing(tool.definition, cause) };
    }
  }

  private async requireSameIdentity(action: PlannedAction, call: Call): Promise<void> {
    const { mode, profile, uid } = await this.options.identify(call);
    if (mode === action.mode && profile === action.profile && uid === action.uid) return;
    throw new ToolFailure('It would be done as somebody else than when you were asked; ask for it again.');
  }

  private async endingOf(
    approved: Approved<Call>,
    planned: PlannedCall<Call>,
    time: TimeLimit,
    deadline: number,
  ): Promise<Ending> {
    const { definition } = approved.tool;
    if (time.signal.aborted) return failed(wordsBeforeActing(definition, tooLateToBegin(definition)));
    try {
      return done(await time.race(() => planned.act()));
    } catch (error) {
      this.log(approved, error);
      if (saysThatNothingWasDone(error, time)) return failed(wordsFor(definition, error));
      const found = await this.readBack(approved, planned, deadline);
      return found ? done(found) : unknown(wordsFor(definition, error));
    }
  }

  /** Whether looking shows that it was done after all. */
  private async readBack(
    approved: Approved<Call>,
    planned: PlannedCall<Call>,
    deadline: number,
  ): Promise<ToolAnswer | null> {
    const late = tooLate(approved.tool.definition);
    try {
      return await untilDeadline(deadline, late, async (signal) =>
        planned.settled(await this.options.createCall(approvedCall(approved.approval, signal))),
      );
    } catch (error) {
      this.log(approved, error);
      return null;
    }
  }

  private log({ tool, approval }: Approved<Call>, error: unknown): void {
    logFailure(this.options.logger, tool.definition.name, approval.request.callId, error);
  }
}

const actUntil = (deadline: number): number => {
  const left = Math.max(0, deadline - Date.now());
  return deadline - Math.min(READ_BACK_MS, left * READ_BACK_SHARE);
};

/** A person approved what stood there: another file, another revision or another path is another deed. */
const requireUnchanged = (approved: readonly PlannedTarget[], found: readonly PlannedTarget[]): void => {
  const changed = approved.find((target, index) => !isSame(target, found[index]));
  if (!changed && approved.length === found.length) return;
  const name = changed?.name ?? found[approved.length]?.name ?? 'it';
  throw new ToolFailure(`"${name}" has changed since you were asked.`);
};

/** The same file can have another fate: no trash any more, or somebody else who loses it. */
const requireSameEffect = (action: PlannedAction, effect: PlannedEffect): void => {
  if (effectHash(effect) === action.effectHash) return;
  throw new ToolFailure('What would happen is no longer what you were shown; ask for it again.');
};

const isSame = (approved: PlannedTarget, found: PlannedTarget | undefined): boolean =>
  found !== undefined &&
  approved.id === found.id &&
  approved.name === found.name &&
  approved.revision === found.revision;

const saysThatNothingWasDone = (error: unknown, time: TimeLimit): boolean =>
  error instanceof AppError && !(error instanceof OutcomeUnknown) && !time.signal.aborted;

const failed = (text: string): Ending => ({ outcome: { state: 'failed', text: fitted({ text }) } });
const unknown = (text: string): Ending => ({ outcome: { state: 'unknown', text: fitted({ text }) } });
const done = (answer: ToolAnswer): Ending => ({
  outcome: {
    state: 'done',
    text: fitted(answer),
    ...(answer.receipt && { receipt: answer.receipt }),
  },
  foreign: answer.foreign,
});
const fitted = (answer: Pick<ToolAnswer, 'text' | 'rest'>): string => fitText(answer, MAX_RESULT_CHARACTERS);

const toResult = (
  { state, text, receipt }: ActionOutcome,
  foreign: string | undefined,
  { maxCharacters }: Tool<unknown>,
): ToolResult =>
  state === 'done'
    ? resultOf(
        { text, ...(receipt && { receipt }), ...(foreign !== undefined && { foreign }) },
        maxCharacters,
      )
    : failedResult(text, maxCharacters);
