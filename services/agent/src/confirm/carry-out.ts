import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ActionReport,
  ActOnApprovalReply,
  ApprovedAction,
  ExecuteToolReply,
  ToolCallContext,
  ToolResult,
} from '@nuqloud/contracts';
import { BUS_ERRORS } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { describeError, errorCode, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { TurnWork } from '../answer-message/turn-work';
import { phrasesFor } from '../domain/phrases';
import { resultText } from '../domain/reports';
import { Confirmations } from '../ports/confirmations';
import { ToolCalls } from '../ports/tool-calls';
import { CORE } from '../registry/tool-registry';
import { MayUse } from './may-use';

/** How a deed ended. */
type Came = Pick<ActOnApprovalReply, 'result' | 'state'>;
type Granted = Extract<ApprovedAction, { state: 'approved' }>;
type Settled = Extract<ApprovedAction, { state: 'settled' }>;

/** Somebody is at an action (a replica that died, a slow tool): its outcome is asked for again after this long. */
const ASK_AGAIN_MS = 500;
/** A grant that could not be used is asked for anew, so often. */
const TRIES = 2;

export interface CarryingOut {
  readonly work: TurnWork;
  readonly confirmation: string;
  readonly context: ToolCallContext;
  readonly message: MessageContext;
  /** Asked before each action; throws when another worker has the room or the process stops. */
  readonly mayGoOn: () => Promise<void>;
}

/**
 * Has what a person approved done, one action after another. What happened already, before a crash or elsewhere, is
 * known to `confirmation`: each action runs at most once, and each gets a report.
 */
@Injectable()
export class CarryOut {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly calls: ToolCalls,
    private readonly mayUse: MayUse,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws what may pass: the message is then taken up again, and the same verdict is given again. */
  async run(carrying: CarryingOut): Promise<ActionReport[]> {
    const { answer } = carrying.work;
    const actions =
      answer?.verdict === 'approved' && answer.confirmation === carrying.confirmation
        ? answer.actions
        : await this.ask(carrying);
    const reports: ActionReport[] = [];
    for (const action of actions) reports.push(await this.bringToEnd(action, carrying));
    return reports;
  }

  /** What an administrator took from the bot since the person was asked is not done. */
  private async act(granted: Granted, carrying: CarryingOut): Promise<ActionReport | undefined> {
    const { tool } = granted.action;
    if (await this.mayUse.mayUse(tool, carrying)) return this.carryOut(granted, carrying);
    this.logger.info({ event: 'action.not-assigned', tool, confirmation: carrying.confirmation });
    const text = phrasesFor(carrying.context.language).notAssigned(tool);
    return { ...about(granted), state: 'failed', text };
  }

  private async bringToEnd(first: ApprovedAction, carrying: CarryingOut): Promise<ActionReport> {
    let action = first;
    for (let tries = 0; ;) {
      await carrying.mayGoOn();
      if (action.state === 'settled') return settled(action);
      if (action.state === 'lapsed' || tries === TRIES)
        return { ...about(action), state: 'lapsed', text: '' };
      if (action.state === 'claimed') {
        await sleep(ASK_AGAIN_MS, undefined, { signal: carrying.work.signal });
      } else {
        const report = await this.act(action, carrying);
        if (report) return report;
        tries += 1;
      }
      const now = (await this.ask(carrying)).find(({ n }) => n === action.n);
      // `confirmation` knows nothing of it any more.
      if (!now) return { ...about(action), state: 'unknown', text: '' };
      action = now;
    }
  }

  /** Undefined when only `confirmation` can say what became of it. */
  private async carryOut(granted: Granted, carrying: CarryingOut): Promise<ActionReport | undefined> {
    const { provider, tool, scope } = granted.action;
    const log = { tool, provider, confirmation: carrying.confirmation, n: granted.n };
    try {
      const { state, result } = this.core.has(provider)
        ? await this.actThere(granted, carrying)
        : await this.actForThirdParty(granted, carrying);
      this.logger.info({ event: 'action.done', ...log, outcome: state });
      return {
        ...about(granted),
        state,
        text: resultText(result),
        provider,
        tool,
        ...(result.receipt && { receipt: result.receipt }),
        ...(scope && { scope }),
      };
    } catch (error) {
      carrying.work.signal.throwIfAborted();
      this.logger.warn({ event: 'action.unanswered', ...log, ...describeError(error) });
      if (errorCode(error) !== BUS_ERRORS.NO_RESPONDERS) return undefined;
      // Nobody was there to claim it.
      return { ...about(granted), state: 'lapsed', text: '' };
    }
  }

  private actThere({ action, grant }: Granted, { work, context, message }: CarryingOut): Promise<Came> {
    const { attestation, text } = work.event;
    const callId = randomUUID();
    return this.calls.act(
      action.provider,
      { v: 1, callId, action, grant, context, attestation, text },
      message,
    );
  }

  /** A third party can claim nothing: it is done here in its name, right before the call. */
  private async actForThirdParty({ action, grant }: Granted, carrying: CarryingOut): Promise<Came> {
    const { work, context, message } = carrying;
    const { attestation, text } = work.event;
    const claim = await this.confirmations.claim(grant, message);
    const call = { callId: randomUUID(), tool: action.tool, arguments: action.arguments };
    const request = {
      ...{ v: 1 as const, ...call, context, attestation, text },
      ...(action.scope && { scope: action.scope }),
    };
    const came = await this.calls.run(action.provider, request, message).then(cameOf, absent);
    await this.confirmations.settle(claim, { state: came.state, text: resultText(came.result) }, message);
    return came;
  }

  private async ask({ work, confirmation, message }: CarryingOut): Promise<readonly ApprovedAction[]> {
    if (work.event.kind !== 'message') return [];
    const verdict = await this.confirmations.judge(work.event, message);
    return verdict.verdict === 'approved' && verdict.confirmation === confirmation ? verdict.actions : [];
  }
}

const cameOf = (reply: ExecuteToolReply): Came => {
  if ('plan' in reply) return NO_PLANS;
  return { result: reply.result, state: reply.result.isError ? 'failed' : 'done' };
};

/** Nobody was there who could have done anything; whatever else went wrong leaves the outcome open. */
const absent = (error: unknown): Came => {
  if (errorCode(error) !== BUS_ERRORS.NO_RESPONDERS) throw error;
  return { state: 'failed', result: errorResult('The service of this tool is away; nothing was done.') };
};

const errorResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });

const NO_PLANS: Came = {
  state: 'unknown',
  result: errorResult('The tool wanted to ask once more, which it may not; nothing is known of what it did.'),
};

const about = ({ n, title }: ApprovedAction) => ({ n, title });

/** Done before a crash, or by somebody else meanwhile. */
const settled = (action: Settled): ActionReport => {
  const { provider, tool, scope, outcome } = action;
  return { ...about(action), ...outcome, provider, tool, ...(scope && { scope }) };
};
