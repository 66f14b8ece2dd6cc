import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { SaxesParser } from 'saxes';
import { GatewayRefusal } from './gateway-refusal';
import { decodeSegment } from './path-segments';

/** Bytes of a DAV SEARCH body; a real one has about one kilobyte. */
export const MAX_SEARCH_BYTES = 64 * 1024;
const MAX_DEPTH = 32;

/**
 * Makes sure that a DAV SEARCH looks only into the files of one person: its scope stands in the body, not in
 * the path.
 * @param body the request body as sent
 * @throws GatewayRefusal INVALID_REQUEST, NOT_ALLOWED
 */
export const checkSearchScope = (body: Uint8Array, uid: string): void => {
  const hrefs = readHrefs(body);
  if (hrefs.length !== 1) throw unreadable('must have exactly one scope');
  for (const href of hrefs) checkHref(href, uid);
};

const checkHref = (href: string, uid: string): void => {
  const [, root, owner, ...rest] = href.split('/');
  const inside = href.startsWith('/files/') && root === 'files' && owner !== undefined;
  // Servers differ in whether they decode the scope. Decoded, its name must be the person's; as it stands, an encoded
  // name is nobody's, because Nextcloud's user ids hold no percent sign.
  if (!inside || /[?#]/.test(href) || decodeSegment(owner) !== uid) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_ALLOWED,
      "The scope of a search must lie in the acting person's own files: /files/{uid}/…",
    );
  }
  rest.forEach((segment, index) => {
    if (segment === '' && index < rest.length - 1) throw unreadable('has an empty segment in its scope');
    decodeSegment(segment);
  });
};

/** The texts of all elements named href, of any namespace and wherever they stand: none may hide a second scope. */
const readHrefs = (body: Uint8Array): string[] => {
  const parser = new SaxesParser({ xmlns: true });
  const hrefs: string[] = [];
  let depth = 0;
  let inHref = false;
  parser.on('error', () => {
    throw unreadable('is not well-formed');
  });
  parser.on('doctype', () => {
    throw unreadable('must not have a DOCTYPE');
  });
  parser.on('xmldecl', ({ version, encoding }) => {
    // We and the server must read the same characters.
    if (version !== '1.0') throw unreadable('must be XML 1.0');
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') throw unreadable('must be UTF-8');
  });
  parser.on('opentag', ({ local }) => {
    if (++depth > MAX_DEPTH) throw unreadable('is nested too deeply');
    if (inHref) throw unreadable('has an element inside an href');
    if (local !== 'href') return;
    inHref = true;
    hrefs.push('');
  });
  parser.on('closetag', () => {
    depth -= 1;
    inHref = false;
  });
  const addText = (text: string) => {
    if (inHref) hrefs.push((hrefs.pop() ?? '') + text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(decodeUtf8(body)).close();
  return hrefs;
};

const decodeUtf8 = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    // The error says no more than this.
    throw unreadable('must be UTF-8');
  }
};

const unreadable = (reason: string): GatewayRefusal =>
  new GatewayRefusal(GATEWAY_REFUSALS.INVALID_REQUEST, `The XML body of a search ${reason}.`);
