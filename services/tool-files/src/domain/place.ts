import type { FileEntry } from '@nuqloud/nextcloud';

/** An entry with the folders above it, innermost first. */
export interface Placed {
  readonly entry: FileEntry | null;
  readonly above: readonly FileEntry[];
}

/** From the entry upwards. */
export const chainOf = ({ entry, above }: Placed): readonly FileEntry[] =>
  entry ? [entry, ...above] : above;

/** Whether others can see what is written there: a received share, a team folder, or something the person shares. */
export const isSharedPlace = (place: Placed): boolean =>
  chainOf(place).some(({ mount, sharedWith }) => mount !== 'local' || sharedWith.length > 0);

/** Whether it is where a share or storage begins. Servers before 28 do not say so, but a mount begins somewhere. */
export const isMountRoot = ({ entry, above }: Placed): boolean =>
  entry !== null &&
  (entry.isMountRoot || (entry.mount !== 'local' && (above[0]?.mount ?? 'local') !== entry.mount));

/** The folder through which a mounted entry came into the person's files. */
export const mountRootOf = (place: Placed): FileEntry | null => {
  const [first] = chainOf(place);
  if (!first || first.mount === 'local') return null;
  const mounted = chainOf(place);
  const end = mounted.findIndex(({ mount }) => mount !== first.mount);
  return mounted[(end < 0 ? mounted.length : end) - 1] ?? first;
};
