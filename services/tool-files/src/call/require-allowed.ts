import type { ResourceScope } from '@nuqloud/contracts';
import type { FilePath } from '@nuqloud/nextcloud';
import { ToolFailure } from '@nuqloud/tool-sdk';
import { AllowedFolders } from '../domain/allowed-folders';

/** @throws ToolFailure for a limit that cannot be understood */
export const allowedBy = (scope: ResourceScope | undefined): AllowedFolders => {
  const allowed = AllowedFolders.of(scope);
  if (allowed) return allowed;
  throw new ToolFailure(
    'The folders that this bot may use are set up wrongly; an administrator has to correct them.',
  );
};

/** @throws ToolFailure for a path outside, with the folders that would be right */
export const requireAllowed = (allowed: AllowedFolders, path: FilePath): void => {
  if (allowed.includes(path)) return;
  const folders = allowed.folders.map((folder) => `"${folder}"`).join(', ');
  throw new ToolFailure(`That is outside of what this bot may use here, which is ${folders}.`);
};
