import type { ResourceScope, ToolDefinition, ToolPolicy } from '@nuqloud/contracts';
import { undeclaredToolPolicy } from '@nuqloud/contracts';

/** A row of `bot_tools`: which tool, by name, a bot may use and how. */
export interface ToolAssignment {
  readonly tool: string;
  readonly confirmAlways: boolean;
  readonly scope: ResourceScope | undefined;
}

/** A tool that some provider offers now. */
export interface OfferedTool {
  readonly provider: string;
  readonly definition: ToolDefinition;
}

/** A tool that this bot can use in this turn. */
export interface LoadedTool extends OfferedTool {
  readonly policy: ToolPolicy;
  readonly confirmAlways: boolean;
  readonly scope: ResourceScope | undefined;
}

export interface Loadout {
  readonly tools: readonly LoadedTool[];
  /** Assigned, but offered by nobody at the moment: kept, inert. */
  readonly away: readonly string[];
}

/**
 * Picks the assigned tools from what is offered, by name or former name, in the order of assignment.
 * A policy counts when one of our own providers declares it; whatever anybody else declares, its tool is
 * taken for a write that needs confirmation.
 */
export const buildLoadout = (
  assignments: readonly ToolAssignment[],
  offered: ReadonlyMap<string, OfferedTool>,
  core: ReadonlySet<string>,
): Loadout => {
  const byAlias = aliases(offered);
  const tools = new Map<string, LoadedTool>();
  const away: string[] = [];
  for (const { tool, confirmAlways, scope } of assignments) {
    const found = offered.get(tool) ?? byAlias.get(tool);
    if (!found) away.push(tool);
    else if (!tools.has(found.definition.name)) {
      const declared = core.has(found.provider) ? found.definition.policy : undefined;
      const policy = declared ?? undeclaredToolPolicy();
      tools.set(found.definition.name, { ...found, policy, confirmAlways, scope });
    }
  }
  return { tools: [...tools.values()], away };
};

/** Whether the bot has a tool, by its name or a former one. */
export const isAssigned = (
  tool: string,
  assignments: readonly ToolAssignment[],
  offered: ReadonlyMap<string, OfferedTool>,
): boolean => {
  const names = new Set([tool, ...(offered.get(tool)?.definition.aliases ?? [])]);
  return assignments.some((row) => names.has(row.tool));
};

const aliases = (offered: ReadonlyMap<string, OfferedTool>): Map<string, OfferedTool> =>
  new Map(
    [...offered.values()].flatMap((tool) => (tool.definition.aliases ?? []).map((alias) => [alias, tool])),
  );

/** `files_*` matches every name that begins with `files_`. */
export const matchesPattern = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1));
