import { isMountRoot } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { isAtLeast, PERMISSION } from '../world/world';
import type { InstalledVersions } from '../world/world';

/** Whether the acting user may remove the entry from the own files, be it only a mount. */
export function mayDelete(entry: Entry): boolean {
  if (isMountRoot(entry)) return entry.mount?.groupFolder === null;
  return (entry.permissions & PERMISSION.delete) !== 0;
}

/** Whether the acting user may rename or move it; a received share can always get another place. */
export function mayRename(entry: Entry): boolean {
  if (isMountRoot(entry)) return entry.mount?.groupFolder === null;
  return (entry.permissions & PERMISSION.update) !== 0;
}

export function allows(entry: Entry, bit: number): boolean {
  return (entry.permissions & bit) !== 0;
}

/**
 * `oc:permissions`: S shared to me, R may share, M mounted, G may read, D may delete, NV may rename and move, W may
 * write (a file), CK may create in it (a folder). Recorded in 24: every received file had W, allowed or not.
 */
export function davPermissions(versions: InstalledVersions, entry: Entry): string {
  const writable = isAtLeast(versions, 25) ? allows(entry, PERMISSION.update) : mayRename(entry);
  const inFolder = allows(entry, PERMISSION.create) ? 'CK' : '';
  return [
    entry.mount?.groupFolder === null ? 'S' : '',
    allows(entry, PERMISSION.share) ? 'R' : '',
    entry.mount?.groupFolder ? 'M' : '',
    allows(entry, PERMISSION.read) ? 'G' : '',
    mayDelete(entry) ? 'D' : '',
    mayRename(entry) ? 'NV' : '',
    entry.node.kind === 'folder' ? inFolder : writable ? 'W' : '',
  ].join('');
}
