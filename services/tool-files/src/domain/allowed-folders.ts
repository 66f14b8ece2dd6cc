import type { ResourceScope } from '@nuqloud/contracts';
import { isWithin, parseFilePath, ROOT } from '@nuqloud/nextcloud';
import type { FilePath } from '@nuqloud/nextcloud';

/** The folders to which an administrator has limited a bot's tool; all of the person's files otherwise. */
export class AllowedFolders {
  private constructor(readonly folders: readonly FilePath[]) {}

  /** Null for a limit that cannot be understood: it must not turn into no limit, nor into a part of itself. */
  static of(scope: ResourceScope | undefined): AllowedFolders | null {
    const folders: FilePath[] = [];
    for (const path of scope?.paths ?? [ROOT]) {
      const parsed = parseFilePath(path);
      if (!parsed.ok) return null;
      folders.push(parsed.path);
    }
    return new AllowedFolders(folders);
  }

  includes(path: FilePath): boolean {
    return this.folders.some((folder) => isWithin(path, folder));
  }
}
