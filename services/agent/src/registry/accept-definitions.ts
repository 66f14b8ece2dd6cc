import { ToolDefinition } from '@nuqloud/contracts';
import type { CollectToolProvidersReply } from '@nuqloud/contracts';
import type { z } from 'zod';
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
  core: ReadonlySet<string>,
): { accepted: OfferedTool[]; refused: Refused[] } => {
  const accepted = new Map<string, OfferedTool>();
  const refused: Refused[] = [];
  for (const [position, candidate] of reply.tools.entries()) {
    const parsed = ToolDefinition.safeParse(candidate);
    const reason = parsed.success
      ? unsuitable(parsed.data, accepted, core.has(reply.provider))
      : wrongPlaces(parsed.error);
    if (reason !== undefined) refused.push({ provider: reply.provider, position, reason });
    else if (parsed.success)
      accepted.set(parsed.data.name, { provider: reply.provider, definition: parsed.data });
  }
  return { accepted: [...accepted.values()], refused };
};

const unsuitable = (
  { name, schema }: ToolDefinition,
  accepted: ReadonlyMap<string, OfferedTool>,
  ours: boolean,
): string | undefined => {
  if (accepted.has(name)) return 'its name is given twice';
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return 'its schema is too large';
  const risky = ours ? undefined : riskyKeyword(schema);
  return risky === undefined ? undefined : `its schema uses ${risky}`;
};

/**
 * Keywords that cost whoever checks arguments against a foreign schema: patterns can take minutes on a few
 * characters, references may lead nowhere or in circles.
 */
const RISKY: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'format',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);

const riskyKeyword = (schema: unknown): string | undefined => {
  if (schema === null || typeof schema !== 'object') return undefined;
  const entries: [string, unknown][] = Object.entries(schema);
  for (const [key, value] of entries) {
    // A property may bear the name of a keyword; what stands below it is a schema again.
    if (key === 'properties' && value !== null && typeof value === 'object') {
      const inside = Object.values(value)
        .map(riskyKeyword)
        .find((found) => found !== undefined);
      if (inside !== undefined) return inside;
    } else if (RISKY.has(key)) return key;
    else {
      const inside = riskyKeyword(value);
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
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
