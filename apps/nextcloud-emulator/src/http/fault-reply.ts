import { DavFailure, davFailureReply } from '../files/dav-failure';
import { envelope } from '../ocs/envelope';
import type { Reply } from './exchange';

/** The answer of an injected fault, in the form of the API it hits. */
export function faultReply(status: number, path: string): Reply {
  const message = 'Injected by the emulator';
  if (path.startsWith('/remote.php/')) {
    return davFailureReply(new DavFailure(status, 'Sabre\\DAV\\Exception\\ServiceUnavailable', message));
  }
  return envelope({ status, message, data: [] }, 'v2', 'json');
}
