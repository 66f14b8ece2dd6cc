import type { PlannedTarget } from '@nuqloud/contracts';
import type { FileEntry, FilePath } from '@nuqloud/nextcloud';

/** Something that is there, in the revision that was seen. */
export const targetOf = ({ fileId, path, etag }: FileEntry): PlannedTarget => ({
  id: fileId ?? '',
  name: path,
  revision: etag,
});

/** A name that is still free. */
export const newTarget = (path: FilePath): PlannedTarget => ({ id: '', name: path, revision: null });

/** ETags are compared without what servers, proxies and models put around them. */
export const isRevision = (given: string, etag: string | null): boolean =>
  etag !== null && bare(given) === bare(etag);

const bare = (etag: string): string => etag.trim().replace(/^W\//, '').replaceAll('"', '');
