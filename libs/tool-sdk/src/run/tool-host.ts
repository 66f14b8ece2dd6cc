import type {
  AttestationClaims,
  CollectToolProvidersReply,
  CollectToolProvidersRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
} from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { OutcomeUnknown } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { CallPlanner } from '../approve/call-planner';
import type { PlannedCall, Tool, ToolAnswer } from '../define/define-tool';
import type { CallVerifier } from './call-verifier';
import { logFailure, tooLate, wordsFor } from './failure-words';
import { untilDeadline } from './time-limit';
import type { ToolCatalogue } from './tool-catalogue';
import { failedResult, resultOf } from './tool-result';
import { verifiedCall } from './verified-call';
import type { CreateCall } from './verified-call';

export interface ToolHostOptions<Call> {
  readonly catalogue: ToolCatalogue<Call>;
  readonly createCall: CreateCall<Call>;
  readonly verifier: CallVerifier;
  readonly planner: CallPlanner<Call>;
  readonly logger: Logger;
}

/**
 * Offers tools and runs them, or says what they would do where the person has to be asked first. Whatever a tool
 * does, the answer is a result within its caps.
 */
export class ToolHost<Call> {
  constructor(private readonly options: ToolHostOptions<Call>) {}

  collect(request: CollectToolProvidersRequest): CollectToolProvidersReply {
    return this.options.catalogue.collect(request);
  }

  /** @throws AppError with one of CALL_ERRORS: such a call is refused, not answered */
  async execute(request: ExecuteToolRequest, message: MessageContext): Promise<ExecuteToolReply> {
    const claims = await this.options.verifier.verify(request);
    const tool = this.options.catalogue.find(request.tool);
    const startedAt = performance.now();
    const reply = await this.run(tool, request, claims, message);
    this.options.logger.info({
      event: 'plan' in reply ? 'tool.planned' : 'tool.executed',
      tool: tool.definition.name,
      callId: request.callId,
      correlationId: message.correlationId,
      isError: 'result' in reply && reply.result.isError,
      ms: Math.round(performance.now() - startedAt),
    });
    return reply;
  }

  private async run(
    tool: Tool<Call>,
    request: ExecuteToolRequest,
    claims: AttestationClaims,
    message: MessageContext,
  ): Promise<ExecuteToolReply> {
    try {
      const prepared = tool.prepare(request.arguments);
      return await untilDeadline(message.deadline, tooLate(tool.definition), async (signal) => {
        const verified = verifiedCall(request, claims, signal);
        const call = await this.options.createCall(verified);
        const planned = await prepared.plan(call);
        const confirmAlways = request.confirmAlways === true;
        const hand = { tool, prepared, planned, verified, confirmAlways, call };
        const plan = await this.options.planner.planFor(hand);
        if (plan !== null) return { v: 1, plan };
        return { v: 1, result: resultOf(await actOrReadBack(planned, call), tool.maxCharacters) };
      });
    } catch (error) {
      logFailure(this.options.logger, tool.definition.name, request.callId, error);
      return { v: 1, result: failedResult(wordsFor(tool.definition, error), tool.maxCharacters) };
    }
  }
}

/** Where no answer came to a write, looking may show that it was done. */
const actOrReadBack = async <Call>(planned: PlannedCall<Call>, call: Call): Promise<ToolAnswer> => {
  try {
    return await planned.act();
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const found = await planned.settled(call);
    if (!found) throw error;
    return found;
  }
};
