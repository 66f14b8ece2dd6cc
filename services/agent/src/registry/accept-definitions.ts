import { ToolDefinition } from '@nuqloud/contracts';
import type { CollectToolProvidersReply } from '@nuqloud/contracts';
import type { z } from 'zod';
import type { OfferedTool } from '../domain/loadout';
import { nestedDeeper } from '../domain/nesting';

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
    const read = readDefinition(candidate);
    const reason = typeof read === 'string' ? read : unsuitable(read, accepted, core.has(reply.provider));
    if (reason !== undefined) refused.push({ provider: reply.provider, position, reason });
    else if (typeof read === 'object')
      accepted.set(read.name, { provider: reply.provider, definition: read });
  }
  return { accepted: [...accepted.values()], refused };
};

/** No tool needs more levels, and whoever walks through a schema may rely on it. */
const MAX_NESTING = 40;

/** The definition, or what is wrong with it. */
const readDefinition = (candidate: unknown): ToolDefinition | string => {
  if (nestedDeeper(candidate, MAX_NESTING)) return 'it is nested too deeply';
  const { data, error } = ToolDefinition.safeParse(withMaps(candidate));
  return data ?? wrongPlaces(error);
};

/** A definition with `properties` that is an object: PHP writes an empty map as `[]`, and some endpoints insist on one. */
const withMaps = (candidate: unknown): unknown => {
  if (!isObject(candidate) || !isObject(candidate.schema)) return candidate;
  return { ...candidate, schema: { properties: {}, ...(mapsIn(candidate.schema) as object) } };
};

const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

const mapsIn = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(mapsIn);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (!MAPS.has(key)) return [key, mapsIn(value)];
      if (isObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapsIn(inner)]))];
      }
      return [key, Array.isArray(value) && value.length === 0 ? {} : value];
    }),
  );
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** Our own words and places only: a hostile definition must not choose what stands in our log. */
const wrongPlaces = (error: z.ZodError): string =>
  error.issues
    .map(({ path: [first, second], code, message }) => {
      if (first !== 'schema') return typeof first === 'string' ? `${first} (${code})` : code;
      if (code === 'custom') return `schema: ${message}`;
      return SCHEMA_RULES.get(second) ?? `schema (${code})`;
    })
    .join(', ');

const SCHEMA_RULES: ReadonlyMap<PropertyKey | undefined, string> = new Map([
  ['type', 'schema: its type must be "object"'],
  ['properties', 'schema: its properties must be an object, {} for none'],
  ['required', 'schema: required must be a list of names'],
]);

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
