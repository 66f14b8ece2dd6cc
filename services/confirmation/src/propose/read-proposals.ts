import type { AttestationClaims, PlannedEffect, Proposal, PublicKeyFile } from '@nuqloud/contracts';
import {
  CONFIRMATION_REFUSALS,
  CORE_PROVIDER_IDS,
  MAX_PROMPT_ACTIONS,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  PlanClaims,
  PlannedAction,
} from '@nuqloud/contracts';
import { actionHash, effectHash, InvalidToken, isAppError, TokenVerifier } from '@nuqloud/platform';
import { claimedIssuer } from '../attest/claimed-issuer';
import { providerOf } from '../attest/providers';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';
import { LONGEST_VALUE } from '../domain/describe-effect';
import { LONGEST_NAME } from '../domain/inert-name';
import type { Clock } from '../ports/clock';

/** An action that may be asked for, with what the person has to know of it. */
export interface ProposedAction {
  readonly action: PlannedAction;
  readonly hash: string;
  readonly effect: PlannedEffect;
}

/** Facts that a prompt can show of one action. */
const MAX_FACTS = 30;

/** Takes nothing on trust: signatures, hashes, and that every action is the attested person's, for that message. */
export class ReadProposals {
  constructor(
    private readonly publicKeys: PublicKeyFile,
    private readonly clock: Clock,
  ) {}

  /** @throws ConfirmationRefusal */
  async read(proposals: readonly Proposal[], asker: AttestationClaims): Promise<ProposedAction[]> {
    const read = await Promise.all(
      proposals.map(async (proposal) =>
        'plan' in proposal ? this.planned(proposal.plan) : [calledFor(proposal.call, asker)],
      ),
    );
    const actions = read.flat();
    if (actions.length > MAX_PROMPT_ACTIONS) {
      throw new ConfirmationRefusal(
        CONFIRMATION_REFUSALS.TOO_MANY_ACTIONS,
        `One question can ask for ${MAX_PROMPT_ACTIONS} actions, not for ${actions.length}. Propose fewer at once.`,
      );
    }
    for (const { action } of actions) requireAsker(action, asker);
    return actions;
  }

  private async planned(plan: string): Promise<ProposedAction[]> {
    const issuer = claimedIssuer(plan);
    const provider = providerOf(issuer);
    if (issuer === undefined || provider === undefined) throw invalidPlan('its issuer may not plan');
    const { actions } = await this.verify(plan, issuer);
    return actions.map((planned) => {
      if (planned.action.provider !== provider)
        throw invalidPlan('it is for another provider than its issuer');
      if (hashOf(planned.action) !== planned.hash) throw hashMismatch('action');
      if (hashing(() => effectHash(planned.effect)) !== planned.action.effectHash)
        throw hashMismatch('effect');
      return planned;
    });
  }

  private async verify(plan: string, issuer: string): Promise<PlanClaims> {
    try {
      // A verifier of its own: plans hold whole files, which no memory of verified tokens should keep.
      return await new TokenVerifier(this.publicKeys, this.clock).verify(plan, {
        type: PLAN_TYPE,
        issuer,
        audience: PLAN_AUDIENCE,
        claims: PlanClaims,
      });
    } catch (error) {
      if (error instanceof InvalidToken) throw invalidPlan(error.message);
      throw error;
    }
  }
}

const hashOf = (action: PlannedAction): string => hashing(() => actionHash(action));

const hashing = (hash: () => string): string => {
  try {
    return hash();
  } catch (error) {
    if (isAppError(error)) throw invalidPlan(error.message);
    throw error;
  }
};

/** A third party's call is known by its tool and arguments only, and so that is what is approved. */
const calledFor = (
  call: Extract<Proposal, { call: unknown }>['call'],
  asker: AttestationClaims,
): ProposedAction => {
  if (CORE_PROVIDER_IDS.has(call.provider)) throw invalidPlan('our own tools plan what they do');
  const args = Object.entries(call.arguments);
  if (args.length + call.sources.length > MAX_FACTS) throw tooLong(`${args.length} arguments`);
  const effect: PlannedEffect = {
    verb: 'call',
    target: call.label,
    facts: [
      ...args.map(([name, value]) => ({
        kind: 'argument' as const,
        name: shownName(name),
        value: shown(value),
      })),
      ...call.sources.map((name) => ({ kind: 'source' as const, name })),
    ],
  };
  const action = PlannedAction.safeParse({
    v: 1,
    provider: call.provider,
    tool: call.tool,
    arguments: call.arguments,
    targets: [],
    ...placeOf(asker),
    mode: 'user',
    profile: null,
    uid: asker.sub.slice('users/'.length),
    effectHash: hashing(() => effectHash(effect)),
  });
  if (!action.success) throw invalidPlan('its call has the wrong shape');
  return { action: action.data, hash: hashOf(action.data), effect };
};

const shownName = (name: string): string => (name === '' ? '""' : whole(name, LONGEST_NAME));

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return whole(text, LONGEST_VALUE);
};

/** Whole or not at all: nobody approves what they cannot read. */
const whole = (text: string, longest: number): string => {
  const { length } = [...text];
  if (length > longest) throw tooLong(`an argument of ${length} characters`);
  return text;
};

const placeOf = (asker: AttestationClaims) => ({
  sub: asker.sub,
  instance: asker.instance,
  bot: asker.bot,
  room: asker.room,
  ...(asker.thread !== undefined && { thread: asker.thread }),
  message: asker.message,
});

const requireAsker = (action: PlannedAction, asker: AttestationClaims): void => {
  const differing = (['sub', 'instance', 'bot', 'room', 'thread', 'message'] as const).find(
    (field) => action[field] !== asker[field],
  );
  if (differing === undefined) return;
  throw new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.OTHER_ASKER,
    `The action has another "${differing}" than the attested message. Plan it under that message.`,
  );
};

const invalidPlan = (reason: string): ConfirmationRefusal =>
  new ConfirmationRefusal(CONFIRMATION_REFUSALS.INVALID_PLAN, `The plan is not acceptable: ${reason}.`);

const hashMismatch = (of: 'action' | 'effect'): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.HASH_MISMATCH,
    `The hash of the plan is not the one of its ${of}.`,
  );

const tooLong = (what: string): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.TOO_LONG,
    `${what} cannot be shown in a question. Ask for less at once.`,
  );
