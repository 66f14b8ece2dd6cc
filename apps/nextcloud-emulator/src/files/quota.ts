import { isAtLeast } from '../world/world';
import type { DavCall } from './dav-call';
import { DavFailure } from './dav-failure';
import { quotaLeft } from './file-properties';

/**
 * The space that something needs, compared with what its owner has left; what it replaces is not counted.
 * @throws {DavFailure} 507
 */
export function demandSpace(call: DavCall, ownerId: string, bytes: number, path: string): void {
  const left = quotaLeft(call.emulation.world, ownerId);
  if (left < 0 || bytes <= left || bytes === 0) return;
  throw new DavFailure(
    507,
    'Sabre\\DAV\\Exception\\InsufficientStorage',
    `Insufficient space in ${path}, ${bytes} required, ${left} available`,
  );
}

/** 24 let copies and folders through; the release that checks them is not known, here it is 30. */
export function checksCopies(call: DavCall): boolean {
  return isAtLeast(call.emulation.world.versions, 30);
}
