import type { Share, World } from '../world/world';

/** The name that people see of whom something is shared with. */
export function shareeName(world: World, share: Pick<Share, 'type' | 'with'>): string {
  switch (share.type) {
    case 'user':
      return world.users.get(share.with)?.displayName ?? share.with;
    case 'room':
      return world.rooms.get(share.with)?.name ?? share.with;
    case 'link':
      return '(Shared link)';
    default:
      return share.with;
  }
}
