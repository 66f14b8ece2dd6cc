import type { LoadedTool } from './loadout';

export type ForcedSearchMode = 'off' | 'auto' | 'always';

/** Phrases with which people clearly ask to have something looked up (English, German, French). */
const LOOK_UP = [
  /\b(?:search|look\s+up|look\s+for|find)\b/iu,
  /\bwhere\s+(?:is|are|did|do)\b/iu,
  /(?:^|[^\p{L}])(?:such(?:e|t|en)?|durchsuch\p{L}*|find(?:e|est|en|et)?|schau\s+nach|nachschlagen)(?:$|[^\p{L}])/iu,
  /(?:^|[^\p{L}])wo\s+(?:ist|sind|liegt|liegen|steht)(?:$|[^\p{L}])/iu,
  /(?:^|[^\p{L}])(?:cherch\p{L}+|recherch\p{L}+|trouv\p{L}+)(?:$|[^\p{L}])/iu,
  /(?:^|[^\p{L}])où\s+(?:est|sont|se\s+trouv\p{L}+)(?:$|[^\p{L}])/iu,
];

/**
 * The search tool that an answer without any search should have used: the first of the
 * loadout, when the person clearly asked to look something up. Used once per turn.
 */
export const searchToForce = (
  mode: ForcedSearchMode,
  text: string,
  tools: readonly LoadedTool[],
): LoadedTool | undefined => {
  if (mode === 'off') return undefined;
  if (mode === 'auto' && !LOOK_UP.some((phrase) => phrase.test(text))) return undefined;
  return tools.find(
    ({ policy, confirmAlways }) => policy.kind === 'search' && policy.readOnly && !confirmAlways,
  );
};
