import type { ResourceScope } from '@nuqloud/contracts';
import { isWithin, parseFilePath, ROOT } from '@nuqloud/nextcloud';
import type { FilePath } from '@nuqloud/nextcloud';
import { ToolFailure } from '@nuqloud/tool-sdk';

/** The folders to which an administrator has limited a bot's tool; all of the person's files otherwise. */
export class AllowedFolders {
  private constructor(private readonly folders: readonly FilePath[]) {}

  /** @throws ToolFailure for a limit that cannot be understood: it must not turn into no limit */
  static of(scope: ResourceScope | undefined): AllowedFolders {
    const folders = scope?.paths?.map((path) => {
      const parsed = parseFilePath(path);
      if (parsed.ok) return parsed.path;
      throw new ToolFailure(
        'The folders that this bot may use are set up wrongly; an administrator has to correct them.',
      );
    });
    return new AllowedFolders(folders ?? [ROOT]);
  }

  includes(path: FilePath): boolean {
    return this.folders.some((folder) => isWithin(path, folder));
  }

  /** @throws ToolFailure for a path outside, with the folders that would be right */
  require(path: FilePath): void {
    if (this.includes(path)) return;
    throw new ToolFailure(
      `That is outside of what this bot may use here, which is ${this.folders.map((folder) => `"${folder}"`).join(', ')}.`,
    );
  }
}
