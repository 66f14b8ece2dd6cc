import { undoneBy } from '@nuqloud/contracts';
import type { ActingMode } from '@nuqloud/contracts';

/** That a bot may use a tool, and as whom it then acts. */
export interface Grant {
  /** A tool's name, or a pattern: the beginning of names, then `*`. */
  readonly tool: string;
  readonly mode: ActingMode;
  readonly profile: string | null;
}

/**
 * The grant that counts for a tool: its own, else that of a tool which it undoes: who may do something may undo it,
 * as the same person. Of several such grants one in user mode counts, which reaches no further than the asker does.
 */
export const grantFor = (grants: readonly Grant[], tool: string): Grant | undefined => {
  const own = ownGrant(grants, tool);
  if (own) return own;
  const ofUndone = undoneBy(tool).flatMap((undone) => ownGrant(grants, undone) ?? []);
  return ofUndone.find(({ mode }) => mode === 'user') ?? ofUndone.at(0);
};

/** That of its name, else that of the longest pattern. */
const ownGrant = (grants: readonly Grant[], tool: string): Grant | undefined =>
  grants
    .filter((grant) => covers(grant.tool, tool))
    .sort((a, b) => specificity(b.tool) - specificity(a.tool))
    .at(0);

const covers = (granted: string, tool: string): boolean =>
  granted.endsWith('*') ? tool.startsWith(granted.slice(0, -1)) : granted === tool;

const specificity = (granted: string): number => (granted.endsWith('*') ? granted.length : Infinity);
