import { decodeSegment } from '../http/router';
import { badRequest } from './dav-failure';

/** The segments of an encoded path, each decoded once and in the one Unicode form that the server stores. */
export function decodePath(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const decoded = decodeSegment(segment);
      if (decoded === undefined) throw badRequest('The path is not valid percent-encoding');
      return decoded.normalize('NFC');
    });
}
