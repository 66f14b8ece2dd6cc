import type { EffectFact } from '@nuqloud/contracts';
import type { Share } from '@nuqloud/nextcloud';

/** Read in one prompt. */
const NAMED = 20;

/** Who else can open something, for the prompt. */
export const accessFact = (names: Iterable<string>): EffectFact => {
  const all = [...new Set(names)];
  return { kind: 'access', names: all.slice(0, NAMED), more: Math.max(0, all.length - NAMED) };
};

const KINDS: Partial<Record<Share['kind'], string>> = {
  group: 'group',
  team: 'team',
  room: 'Talk room',
  deck: 'Deck card',
  email: 'e-mail',
};

export const showSharee = ({ kind, name, with: id }: Share): string => {
  if (kind === 'link') return 'public link';
  const who = name || id || 'somebody';
  const what = KINDS[kind];
  return what === undefined ? who : `${who} (${what})`;
};
