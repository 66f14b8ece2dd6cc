import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type {
  AnsweredCall,
  ExecuteToolReply,
  ExecuteToolRequest,
  Proposal,
  RequestedCall,
  ToolPolicy,
  ToolResult,
} from '@nuqloud/contracts';
import { BUS_ERRORS } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AppError, describeError, errorCode, LOGGER, storableText } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { withoutDependents } from '../domain/dependent-proposals';
import type { LoadedTool } from '../domain/loadout';
import { resultText } from '../domain/reports';
import { callSignature, decideBatch, executionGroups } from '../domain/tool-batch';
import type { CallDecision, DoneWrites } from '../domain/tool-batch';
import { ToolCalls } from '../ports/tool-calls';
import { CORE, ToolRegistry } from '../registry/tool-registry';
import { checkArguments } from './check-arguments';

/** What every call of a turn has in common. */
export interface ToolsOfTurn {
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly context: ExecuteToolRequest['context'];
  readonly attestation: string;
  readonly text: string;
  /** Sources of foreign content before the model. */
  readonly taint: readonly string[];
}

type Run = Extract<CallDecision, { kind: 'run' }>;

/** Reading back settles it where the same call twice is the same as once; otherwise nobody can tell. */
const unknownOutcome = ({ idempotent }: ToolPolicy): string =>
  idempotent
    ? 'It is not known whether this was done: the work was interrupted. Look with a reading tool; only if it was not done, call it again.'
    : 'It is not known whether this was done: the work was interrupted. Do not call it again. Tell the person that it may or may not have happened.';

/** So many reads of one batch run side by side. */
const PARALLEL_READS = 4;

/** Runs one batch of tool calls; every call gets an answer, whatever happens to it. */
@Injectable()
export class RunTools {
  constructor(
    private readonly calls: ToolCalls,
    private readonly registry: ToolRegistry,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param interrupted the batch was under way when a process died: reads are run again, of writes
   * nobody knows the outcome
   * @param mayGoOn asked before each group of calls; throws when another worker has the room or the process stops
   */
  async run(
    batch: readonly RequestedCall[],
    turn: ToolsOfTurn,
    doneWrites: DoneWrites,
    interrupted: boolean,
    message: MessageContext,
    mayGoOn: () => Promise<void>,
  ): Promise<AnsweredCall[]> {
    const decisions = decideBatch(batch, {
      tools: turn.tools,
      doneWrites,
      check: checkArguments,
      isCore: (provider) => this.core.has(provider),
      taint: turn.taint,
    }).map((decision) => ({
      decision,
      readOnly: decision.kind !== 'run' || decision.tool.policy.readOnly,
    }));
    const answers: AnsweredCall[] = [];
    for (const group of executionGroups(decisions, PARALLEL_READS)) {
      await mayGoOn();
      const settled = group.map(async ({ decision, readOnly }) => {
        if (decision.kind === 'answer') return refused(decision);
        if (decision.kind === 'propose') return proposed(decision.call, decision.proposal);
        if (interrupted && !readOnly)
          return answered(decision.call, unknownOutcome(decision.tool.policy), true);
        return this.execute(decision, turn, message);
      });
      answers.push(...(await Promise.all(settled)));
    }
    return withoutDependents(answers);
  }

  private async execute(run: Run, turn: ToolsOfTurn, message: MessageContext): Promise<AnsweredCall> {
    const { call, tool } = run;
    const callId = randomUUID();
    const log = {
      tool: tool.definition.name,
      provider: tool.provider,
      callId,
      correlationId: message.correlationId,
    };
    const startedAt = performance.now();
    try {
      const reply = await this.calls.run(tool.provider, request(run, turn, callId), message);
      const came = 'plan' in reply ? { planned: true } : { isError: reply.result.isError };
      this.logger.info({ event: 'tool.done', ...log, ...came, ms: since(startedAt) });
      return this.answerOf(run, reply);
    } catch (error) {
      this.logger.warn({ event: 'tool.failed', ...log, ms: since(startedAt), ...describeError(error) });
      if (errorCode(error) === BUS_ERRORS.NO_RESPONDERS) await this.registry.gone(tool.provider);
      return answered(call, failureText(tool, error), true);
    }
  }

  /** Only our own services sign plans, and only they are believed when they say whose content it is. */
  private answerOf(run: Run, reply: ExecuteToolReply): AnsweredCall {
    const isCore = this.core.has(run.tool.provider);
    if (!('plan' in reply)) {
      return fromResult(run, reply.result, isCore ? reply.result.foreign : run.tool.provider);
    }
    if (isCore) return proposed(run.call, { plan: reply.plan });
    return answered(
      run.call,
      'Error: the tool answered with a plan, which only our own may. Nothing is known of what it did.',
      true,
    );
  }
}

const request = (run: Run, turn: ToolsOfTurn, callId: string): ExecuteToolRequest => ({
  v: 1,
  callId,
  tool: run.tool.definition.name,
  arguments: run.arguments,
  context: turn.context,
  attestation: turn.attestation,
  text: turn.text,
  ...(run.tool.scope === undefined ? {} : { scope: run.tool.scope }),
  ...(run.tool.confirmAlways && { confirmAlways: true }),
  ...(turn.taint.length > 0 && { taint: [...turn.taint] }),
});

const proposed = (call: RequestedCall, proposal: Proposal): AnsweredCall => ({
  ...answered(call, 'Nothing was done yet: the person is asked first.', false),
  proposal,
});

const fromResult = (
  { call, tool, arguments: args }: Run,
  result: ToolResult,
  foreign: string | undefined,
): AnsweredCall => {
  const text = resultText(result);
  return {
    ...answered(call, result.isError ? `Error: ${text}` : text, result.isError),
    ...(tool.policy.readOnly || result.isError ? {} : { doneWrite: callSignature(call.name, args) }),
    ...(foreign !== undefined && { foreign }),
    ...(result.receipt !== undefined && {
      receipt: result.receipt,
      provider: tool.provider,
      ...(tool.scope !== undefined && { scope: tool.scope }),
    }),
  };
};

const refused = ({ call, text }: Extract<CallDecision, { kind: 'answer' }>): AnsweredCall =>
  answered(call, `Error: ${text}`, true);

const answered = ({ id, name }: RequestedCall, text: string, isError: boolean): AnsweredCall => ({
  id,
  name,
  text,
  isError,
});

/** Errors after which a write may nevertheless have happened. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  BUS_ERRORS.TIMEOUT,
  BUS_ERRORS.DISCONNECTED,
  BUS_ERRORS.INVALID_REPLY,
  BUS_ERRORS.INTERNAL,
]);

const failureText = (tool: LoadedTool, error: unknown): string => {
  const code = errorCode(error);
  if (code === BUS_ERRORS.NO_RESPONDERS) {
    return `Error: the service behind the ${tool.provider} tools is not available at the moment. Nothing was done. Tell the person to try again later.`;
  }
  if (!tool.policy.readOnly && (UNCERTAIN.has(code) || !(error instanceof AppError))) {
    return `Error: ${unknownOutcome(tool.policy)}`;
  }
  if (code === BUS_ERRORS.TIMEOUT) return 'Error: the tool did not answer in time. Nothing was changed.';
  // Refusals of our services are worded for this reader; anything else is not quoted.
  return error instanceof AppError && !UNCERTAIN.has(code)
    ? `Error: ${storableText(error.message)}`
    : 'Error: the tool failed. Nothing was changed.';
};

const since = (startedAt: number): number => Math.round(performance.now() - startedAt);
