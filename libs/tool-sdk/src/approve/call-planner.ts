import type { PlannedAction, PlannedEffect, ProviderId, ResolvedIdentity } from '@nuqloud/contracts';
import { AppError, canonicalJson, effectHash } from '@nuqloud/platform';
import type { TokenSigner } from '@nuqloud/platform';
import type { PlannedCall, PreparedCall, Tool } from '../define/define-tool';
import { ToolFailure } from '../define/tool-failure';
import type { VerifiedCall } from '../run/verified-call';
import { effectOfCall, withSources } from './effect-of-call';
import { signPlan } from './sign-plan';

/** As whom a call acts. */
export type ActingIdentity = Pick<ResolvedIdentity, 'mode' | 'profile' | 'uid'>;

/** What a provider needs for calls that wait for the person's "yes". Only our own services have it. */
export interface ApprovalOptions<Call> {
  /** Signs plans and claims in the name of the service. */
  readonly signer: TokenSigner;
  /** As whom the gateway lets the call act now, whatever an approved call is to be done as. */
  readonly identify: (call: Call) => Promise<ActingIdentity>;
}

/** A call that is about to run. */
export interface CallInHand<Call> {
  readonly tool: Tool<Call>;
  readonly prepared: PreparedCall<Call>;
  readonly planned: PlannedCall<Call>;
  readonly verified: VerifiedCall;
  /** An administrator wants every call of this tool confirmed. */
  readonly confirmAlways: boolean;
  readonly call: Call;
}

/** Decides which calls wait for the person's "yes", and says what those would do. */
export class CallPlanner<Call> {
  constructor(
    private readonly provider: ProviderId,
    /** Without them a call that has to be asked for is refused. */
    private readonly approvals: ApprovalOptions<Call> | undefined,
  ) {}

  /**
   * The signed plan of a call that has to be asked for, or null for one that may run.
   * @throws ToolFailure where nobody can be asked
   */
  async planFor(hand: CallInHand<Call>): Promise<string | null> {
    const { tool, verified } = hand;
    const effect = await this.effectOf(hand);
    if (!effect) return null;
    if (!this.approvals) {
      throw new ToolFailure(
        `${tool.definition.name} was not run: it needs the person's "yes", for which this provider cannot ask.`,
      );
    }
    const identity = await this.approvals.identify(hand.call);
    const action = actionOf(this.provider, hand, identity, effect);
    return signPlan(this.approvals.signer, action, withSources(effect, verified.taint));
  }

  /** The tool decides; an administrator can make it stricter, and so does content of others that the model has read. */
  private async effectOf(hand: CallInHand<Call>): Promise<PlannedEffect | null> {
    const { tool, prepared, planned, verified, confirmAlways } = hand;
    const effect = await planned.effect();
    if (effect) return effect;
    const asks = confirmAlways || (verified.taint.length > 0 && tool.definition.policy.openWorld);
    return asks ? effectOfCall(tool, prepared) : null;
  }
}

const actionOf = <Call>(
  provider: ProviderId,
  { tool, prepared, planned, verified }: CallInHand<Call>,
  { mode, profile, uid }: ActingIdentity,
  effect: PlannedEffect,
): PlannedAction => {
  const { claims, scope, taint } = verified;
  return {
    v: 1,
    provider,
    tool: verified.tool,
    arguments: storable(tool, prepared.arguments),
    targets: [...planned.targets],
    sub: claims.sub,
    instance: claims.instance,
    bot: claims.bot,
    room: claims.room,
    ...(claims.thread !== undefined && { thread: claims.thread }),
    message: claims.message,
    mode,
    profile,
    uid,
    ...(scope && { scope }),
    ...(taint.length > 0 && { taint: [...taint] }),
    effectHash: effectHash(effect),
  };
};

/** The call is made again from what is stored, so its arguments must survive that. */
const storable = <Call>(
  tool: Tool<Call>,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const stored = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
  try {
    const again = tool.prepare(stored).arguments;
    if (canonicalJson(again) === canonicalJson(stored)) return stored;
  } catch (cause) {
    throw notStorable(tool.definition.name, cause);
  }
  throw notStorable(tool.definition.name);
};

const notStorable = (tool: string, cause?: unknown): AppError =>
  new AppError(
    'TOOL.ARGUMENTS_NOT_STORABLE',
    `${tool} cannot wait for a "yes": its arguments are not plain.`,
    {
      cause,
    },
  );
