import { z } from 'zod';
import { FILES_ERRORS, FilesError } from '../files/files-error';
import type { ShareKind } from '../files/file-entry';
import type { FilePath } from '../files/file-path';
import { shareKindOf } from '../files/read-file-entry';
import type { GatewayClient } from '../gateway/gateway-client';
import { readOcs } from '../server/read-ocs';

/** Somebody, or a way, by which others can open something. */
export interface Share {
  readonly kind: ShareKind | 'other';
  /** Id of the person, group, room, …; empty for a link. */
  readonly with: string;
  /** As people know it. */
  readonly name: string;
  /** Others can change what is there, or add to it. */
  readonly canWrite: boolean;
}

/** `share_with` and `password` of a link hold a password hash: nothing but this is read of an answer. */
const OcsShares = z.array(
  z.object({
    share_type: z.coerce.string(),
    share_with: z.string().nullish(),
    share_with_displayname: z.string().nullish(),
    permissions: z.coerce.number().int(),
  }),
);

const UPDATE = 2;
const CREATE = 4;

/** With whom files and folders are shared. */
export class SharesClient {
  constructor(private readonly gateway: GatewayClient) {}

  /** The shares of exactly this file or folder that the acting person may see. @throws FilesError */
  async of(path: FilePath): Promise<Share[]> {
    const query = `path=${encodeURIComponent(path)}&reshares=true&format=json`;
    const answer = await readOcs(this.gateway, `/apps/files_sharing/api/v1/shares?${query}`, OcsShares);
    if (answer === null) {
      throw new FilesError(
        FILES_ERRORS.UNAVAILABLE,
        `Nextcloud does not say with whom "${path}" is shared; try again later.`,
        { retryable: true },
      );
    }
    return answer.map(toShare);
  }
}

const toShare = (share: z.infer<typeof OcsShares>[number]): Share => {
  const kind = shareKindOf(share.share_type) ?? 'other';
  const canWrite = (share.permissions & (UPDATE | CREATE)) !== 0;
  if (kind === 'link') return { kind, with: '', name: '', canWrite };
  const id = share.share_with ?? '';
  return { kind, with: id, name: share.share_with_displayname || id, canWrite };
};
