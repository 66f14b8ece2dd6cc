import { createHash } from 'node:crypto';
import { ToolDefinition } from '@nuqloud/contracts';
import type { CollectToolProvidersReply } from '@nuqloud/contracts';
import type { z } from 'zod';
import { canonicalJson } from '../domain/canonical-json';
import type { OfferedTool } from '../domain/loadout';

/** A definition is sent with every model call, so its size is everybody's cost. */
const MAX_SCHEMA_CHARACTERS = 16_000;

export interface Refused {
  readonly provider: string;
  /** Position in the provider's answer, because the name itself may be what is wrong. */
  readonly position: number;
  readonly reason: string;
}

/** Checks a provider's definitions one by one: a broken one costs only itself. */
export const acceptDefinitions = (
  reply: CollectToolProvidersReply,
): { accepted: OfferedTool[]; refused: Refused[] } => {
  const accepted = new Map<string, OfferedTool>();
  const refused: Refused[] = [];
  for (const [position, candidate] of reply.tools.entries()) {
    const parsed = ToolDefinition.safeParse(candidate);
    const reason = parsed.success ? unsuitable(parsed.data, accepted) : wrongPlaces(parsed.error);
    if (reason !== undefined) refused.push({ provider: reply.provider, position, reason });
    else if (parsed.success)
      accepted.set(parsed.data.name, { provider: reply.provider, definition: parsed.data });
  }
  return { accepted: [...accepted.values()], refused };
};

const unsuitable = (
  definition: ToolDefinition,
  accepted: ReadonlyMap<string, OfferedTool>,
): string | undefined => {
  if (JSON.stringify(definition.schema).length > MAX_SCHEMA_CHARACTERS) return 'its schema is too large';
  return accepted.has(definition.name) ? 'its name is given twice' : undefined;
};

/** Places only: a hostile definition must not choose what stands in our log. */
const wrongPlaces = (error: z.ZodError): string =>
  error.issues
    .map(({ path, code }) => (typeof path[0] === 'string' ? `${path[0]} (${code})` : code))
    .join(', ');

/**
 * All tools by name. Where two providers offer the same name, a core provider's wins, else
 * the one first in the alphabet, so that every replica decides alike.
 */
export const mergeOffers = (
  offers: ReadonlyMap<string, readonly OfferedTool[]>,
  core: ReadonlySet<string>,
): { tools: Map<string, OfferedTool>; collisions: { name: string; kept: string; skipped: string }[] } => {
  const tools = new Map<string, OfferedTool>();
  const collisions: { name: string; kept: string; skipped: string }[] = [];
  const rank = (provider: string) => `${core.has(provider) ? '0' : '1'}${provider}`;
  const providers = [...offers.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  for (const tool of providers.flatMap((provider) => offers.get(provider) ?? [])) {
    const { name } = tool.definition;
    const kept = tools.get(name);
    if (kept) collisions.push({ name, kept: kept.provider, skipped: tool.provider });
    else tools.set(name, tool);
  }
  return { tools, collisions };
};

export const schemaHash = (definition: ToolDefinition): string =>
  createHash('sha256').update(canonicalJson(definition.schema)).digest('hex');
