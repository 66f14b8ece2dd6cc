import type { Mistake } from './check-shape';
import type { ProvisionPath } from './provision-error';

/**
 * What holds between the parts of the file. It looks at the tree as written, whose shape may be wrong as well,
 * so that one run tells every mistake.
 */
export const checkRelations = (tree: unknown): Mistake[] => {
  const instances = namesIn(tree, ['instances'], 'id');
  const bots = namesIn(tree, ['bots'], 'slug');
  const botsOf = (instance: unknown) => bots.filter(({ entry }) => at(entry, 'instance') === instance);
  return [
    ...repeated(instances, 'an instance'),
    ...repeated(bots, 'a bot'),
    ...bots.flatMap(({ path, entry }) => unknownName(entry, path, 'instance', instances)),
    ...instances
      .filter(({ name }) => typeof name === 'string')
      .flatMap(({ path, entry, name }) =>
        unknownName(at(entry, 'appApi'), [...path, 'appApi'], 'bot', botsOf(name)),
      ),
    ...bots.flatMap(({ path }) => repeated(namesIn(tree, [...path, 'tools'], 'name'), 'a tool of this bot')),
    ...unreachableBots(instances, bots),
    ...agentMode(tree, bots),
  ];
};

/** An entry of a list and the field that names it; entries may also be their name. */
interface Named {
  readonly path: ProvisionPath;
  readonly entry: unknown;
  readonly name: unknown;
  readonly namePath: ProvisionPath;
}

const at = (value: unknown, ...path: ProvisionPath): unknown =>
  path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );

const namesIn = (tree: unknown, list: ProvisionPath, field: string): Named[] => {
  const entries = at(tree, ...list);
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown, index) => {
    const path = [...list, index];
    return typeof entry === 'string'
      ? { path, entry, name: entry, namePath: path }
      : { path, entry, name: at(entry, field), namePath: [...path, field] };
  });
};

const repeated = (named: readonly Named[], what: string): Mistake[] =>
  named
    .filter(
      ({ name }, index) =>
        typeof name === 'string' && named.findIndex((other) => other.name === name) < index,
    )
    .map(({ namePath }) => ({ path: namePath, message: `${what} with this name stands further up already` }));

const unknownName = (
  entry: unknown,
  path: ProvisionPath,
  field: string,
  known: readonly Named[],
): Mistake[] => {
  const name = at(entry, field);
  // A name that is wrong in itself is told by itself, and nothing can be said about who refers to it.
  if (
    typeof name !== 'string' ||
    known.some((other) => other.name === name || typeof other.name !== 'string')
  )
    return [];
  const names = known.map((other) => String(other.name)).join(', ') || 'none';
  return [{ path: [...path, field], message: `there is no such ${field} in this file; there are: ${names}` }];
};

/** Talk reaches a bot with the secret that both know, or through AppAPI. */
const unreachableBots = (instances: readonly Named[], bots: readonly Named[]): Mistake[] => {
  const isAppBot = (instance: unknown, slug: unknown) =>
    instances.some(({ name, entry }) => name === instance && at(entry, 'appApi', 'bot') === slug);
  return bots
    .filter(({ entry }) => typeof entry === 'object' && at(entry, 'talkSecret') === undefined)
    .filter(({ entry, name }) => !isAppBot(at(entry, 'instance'), name))
    .map(({ path }) => ({
      path: [...path, 'talkSecret'],
      message: 'is missing; only the bot that its instance names as appApi.bot can do without',
    }));
};

const NO_AGENT_MODE =
  'agent mode does not exist yet in this version: every tool acts as the person who wrote';

const agentMode = (tree: unknown, bots: readonly Named[]): Mistake[] => {
  const profiles = at(tree, 'profiles');
  const tools = bots.flatMap(({ path }) => namesIn(tree, [...path, 'tools'], 'name'));
  return [
    ...(Array.isArray(profiles) && profiles.length > 0
      ? [{ path: ['profiles'], message: `${NO_AGENT_MODE}; leave the profiles out`, of: 'key' as const }]
      : []),
    ...tools
      .filter(({ entry }) => at(entry, 'mode') === 'agent')
      .map(({ path }) => ({ path: [...path, 'mode'], message: `${NO_AGENT_MODE}; leave it out` })),
    ...tools
      .filter(({ entry }) => at(entry, 'profile') !== undefined)
      .map(({ path }) => ({ path: [...path, 'profile'], message: `${NO_AGENT_MODE}; leave it out` })),
  ];
};
