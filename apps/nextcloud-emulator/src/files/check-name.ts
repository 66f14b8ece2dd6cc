import { DavFailure, forbidden } from './dav-failure';
import { locked } from './locks';

const INVALID_PATH = 'OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath';
/** The server puts its own ending after the name, and the file system takes 255 bytes. */
const MAX_LENGTH = 250;

/** Refuses what the server takes as no name for something new. @throws {DavFailure} 400, 403, 423 */
export function checkName(name: string): void {
  if (/[\\\u0000-\u001f]/.test(name) || name.trim() === '')
    throw invalid('File name contains at least one invalid character');
  if ([...name].length > MAX_LENGTH) throw invalid('File name is too long');
  if (name.toLowerCase() === '.htaccess') throw forbidden();
  // Recorded: unfinished uploads end so, and the answer looks like a lock.
  if (name.endsWith('.part')) throw locked(name);
}

function invalid(reason: string): DavFailure {
  return new DavFailure(400, INVALID_PATH, reason);
}
