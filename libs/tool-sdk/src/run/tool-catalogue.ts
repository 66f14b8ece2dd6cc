import type { CollectToolProvidersReply, CollectToolProvidersRequest, ProviderId } from '@nuqloud/contracts';
import { AppError, describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { InvalidToolDefinition } from '../define/argument-schema';
import type { Instance, Tool } from '../define/define-tool';
import { CALL_ERRORS } from './call-verifier';

/** The tools of a provider, by their names of today and of before. */
export class ToolCatalogue<Call> {
  private readonly byName = new Map<string, Tool<Call>>();

  /** @throws InvalidToolDefinition when two tools share a name */
  constructor(
    readonly provider: ProviderId,
    private readonly tools: readonly Tool<Call>[],
    private readonly logger: Logger,
  ) {
    for (const tool of tools) {
      for (const name of [tool.definition.name, ...(tool.definition.aliases ?? [])]) {
        if (this.byName.has(name)) throw new InvalidToolDefinition(name, 'the name is used twice');
        this.byName.set(name, tool);
      }
    }
  }

  /** @throws AppError TOOL.UNKNOWN */
  find(name: string): Tool<Call> {
    const tool = this.byName.get(name);
    if (!tool) throw new AppError(CALL_ERRORS.UNKNOWN_TOOL, `This provider has no tool "${name}".`);
    return tool;
  }

  collect({ instance }: CollectToolProvidersRequest): CollectToolProvidersReply {
    const offered = this.tools.filter((tool) => this.isAvailable(tool, instance));
    return { v: 1, provider: this.provider, tools: offered.map(({ definition }) => definition) };
  }

  private isAvailable(tool: Tool<Call>, instance: Instance): boolean {
    try {
      return tool.available(instance);
    } catch (error) {
      this.logger.error({
        event: 'tool.availability-failed',
        tool: tool.definition.name,
        ...describeError(error),
      });
      return false;
    }
  }
}
