import { parseFilePath } from '@nuqloud/nextcloud';
import type { FileEntry, FilePath, Share } from '@nuqloud/nextcloud';
import type { ActingIdentity } from '@nuqloud/tool-sdk';
import { showSharee } from '../domain/access';
import { chainOf, mountRootOf } from '../domain/place';
import type { Placed } from '../domain/place';
import { showMount, showName, showSource } from '../domain/show-file';
import type { FilesCall } from './files-call';

/**
 * The names of those who can open it besides the person: through shares of it or of a folder above, as its owner,
 * or through the storage it lies in.
 * @param inside shared things below it, whose sharees lose them with it
 * @throws FilesError where Nextcloud does not say
 */
export const whoHasAccess = async (
  call: FilesCall,
  place: Placed,
  inside: readonly FilePath[] = [],
): Promise<string[]> => {
  const { uid } = await call.identity();
  const shared = chainOf(place).filter(mayBeShared).map(pathOf);
  const shares = await Promise.all([...shared, ...inside].map((path) => call.shares.of(path)));
  const others = shares.flat().filter((share) => !(share.kind === 'user' && share.with === uid));
  return [...throughMount(place, uid), ...others.map((share) => showName(showSharee(share)))];
};

/**
 * Where content came from that others than the person can write, or undefined where nobody else can. In doubt
 * somebody can.
 */
export const foreignSource = async (call: FilesCall, place: Placed): Promise<string | undefined> => {
  const { entry } = place;
  if (!entry) return undefined;
  const foreign = !isOwn(entry, await call.identity()) || (await othersCanWrite(call, place));
  return foreign ? showSource(entry.path) : undefined;
};

/** An agent account's files are written for everybody who may use the bot. */
export const isOwn = ({ owner, mount }: FileEntry, { mode, uid }: ActingIdentity): boolean =>
  mode === 'user' && mount === 'local' && owner?.id === uid;

const othersCanWrite = async (call: FilesCall, place: Placed): Promise<boolean> => {
  const shared = chainOf(place).filter(({ sharedWith }) => sharedWith.length > 0);
  try {
    const shares = await Promise.all(shared.map((entry) => call.shares.of(pathOf(entry))));
    return shares.flat().some(({ canWrite }: Share) => canWrite);
  } catch {
    // Nextcloud does not say: in doubt they can.
    return true;
  }
};

/** What the person shares is marked; who else has a received share, a look tells where passing it on is allowed. */
const mayBeShared = ({ sharedWith, mount, rights }: FileEntry): boolean =>
  sharedWith.length > 0 || (mount === 'shared' && rights.share);

const throughMount = (place: Placed, uid: string): string[] => {
  const root = mountRootOf(place);
  if (!root) return [];
  if (root.mount !== 'shared') return [`${showName(root.path)} (${showMount(root) ?? 'mounted storage'})`];
  const owner = chainOf(place)[0]?.owner;
  if (!owner) return ['its owner'];
  return owner.id === uid ? [] : [showName(owner.name)];
};

/** Paths of entries that lie on a path that was asked about are well-formed. */
const pathOf = ({ path }: FileEntry): FilePath => {
  const parsed = parseFilePath(path);
  if (!parsed.ok) throw new Error('an entry on the way to a path has no path');
  return parsed.path;
};
