import type {
  AttestationClaims,
  CollectToolProvidersReply,
  CollectToolProvidersRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
  ProviderId,
  ResourceScope,
  ToolCallContext,
  ToolResult,
} from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { AppError, describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { InvalidToolDefinition } from '../define/argument-schema';
import type { Instance, Tool } from '../define/define-tool';
import { ToolFailure } from '../define/tool-failure';
import { CALL_ERRORS } from './call-verifier';
import type { CallVerifier } from './call-verifier';
import { failedResult, resultOf } from './tool-result';
import { untilDeadline } from './until-deadline';

/** A call by a person who was proven to have asked for it. */
export interface VerifiedCall {
  readonly callId: string;
  readonly tool: string;
  readonly context: ToolCallContext;
  /** Hand it on to the gateway; it says who asked. */
  readonly attestation: string;
  readonly claims: AttestationClaims;
  /** What the person wrote. */
  readonly text: string;
  readonly scope: ResourceScope | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Makes what a provider's tools get with each call. */
export type CreateCall<Call> = (call: VerifiedCall) => Call | Promise<Call>;

export interface ToolHostOptions<Call> {
  readonly id: ProviderId;
  readonly tools: readonly Tool<Call>[];
  readonly createCall: CreateCall<Call>;
  readonly verifier: CallVerifier;
  readonly logger: Logger;
}

type Definition = Tool<unknown>['definition'];

/** Offers tools and runs them. Whatever a tool does, the answer is a result within its caps. */
export class ToolHost<Call> {
  private readonly byName = new Map<string, Tool<Call>>();

  /** @throws InvalidToolDefinition when two tools share a name */
  constructor(private readonly options: ToolHostOptions<Call>) {
    for (const tool of options.tools) {
      for (const name of [tool.definition.name, ...(tool.definition.aliases ?? [])]) {
        if (this.byName.has(name)) throw new InvalidToolDefinition(name, 'the name is used twice');
        this.byName.set(name, tool);
      }
    }
  }

  collect({ instance }: CollectToolProvidersRequest): CollectToolProvidersReply {
    const offered = this.options.tools.filter((tool) => this.isAvailable(tool, instance));
    return { v: 1, provider: this.options.id, tools: offered.map(({ definition }) => definition) };
  }

  /** @throws AppError with one of CALL_ERRORS: such a call is refused, not answered */
  async execute(request: ExecuteToolRequest, message: MessageContext): Promise<ExecuteToolReply> {
    const claims = await this.options.verifier.verify(request);
    const tool = this.byName.get(request.tool);
    if (!tool) {
      throw new AppError(CALL_ERRORS.UNKNOWN_TOOL, `This provider has no tool "${request.tool}".`);
    }
    const startedAt = performance.now();
    const result = await this.run(tool, request, claims, message);
    this.options.logger.info({
      event: 'tool.executed',
      tool: tool.definition.name,
      callId: request.callId,
      correlationId: message.correlationId,
      isError: result.isError,
      ms: Math.round(performance.now() - startedAt),
    });
    return { v: 1, result };
  }

  private async run(
    tool: Tool<Call>,
    request: ExecuteToolRequest,
    claims: AttestationClaims,
    message: MessageContext,
  ): Promise<ToolResult> {
    try {
      const run = tool.prepare(request.arguments);
      const late = new ToolFailure(
        `${tool.definition.name} took too long and was stopped: ${effectOf(tool.definition)}.`,
      );
      const answer = await untilDeadline(message.deadline, late, async (signal) =>
        run(await this.options.createCall(verifiedCall(request, claims, signal))),
      );
      return resultOf(answer, tool.maxCharacters);
    } catch (error) {
      this.logFailure(tool, request, error);
      return failedResult(wordsFor(tool.definition, error), tool.maxCharacters);
    }
  }

  private isAvailable(tool: Tool<Call>, instance: Instance): boolean {
    try {
      return tool.available(instance);
    } catch (error) {
      this.options.logger.error({
        event: 'tool.availability-failed',
        tool: tool.definition.name,
        ...describeError(error),
      });
      return false;
    }
  }

  private logFailure(tool: Tool<Call>, { callId }: ExecuteToolRequest, error: unknown): void {
    const what = { event: 'tool.failed', tool: tool.definition.name, callId, ...describeError(error) };
    if (error instanceof AppError) this.options.logger.info(what);
    else this.options.logger.error(what);
  }
}

const verifiedCall = (
  { callId, tool, context, attestation, text, scope }: ExecuteToolRequest,
  claims: AttestationClaims,
  signal: AbortSignal,
): VerifiedCall => ({ callId, tool, context, attestation, claims, text, scope, signal });

/** The messages of our own errors are written for people; anything else may quote what it should not. */
const wordsFor = (definition: Definition, error: unknown): string =>
  error instanceof AppError
    ? error.message
    : `${definition.name} failed because of an error of its own: ${effectOf(definition)}.`;

const effectOf = ({ policy }: Definition): string =>
  policy.readOnly
    ? 'there is no result, and nothing was changed'
    : 'whether anything was changed is not known; look before you try again';
