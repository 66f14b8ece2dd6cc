import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { GatewayRefusal } from './gateway-refusal';

export interface Segment {
  /** As sent. */
  readonly raw: string;
  /** After exactly one percent-decoding. */
  readonly decoded: string;
}

/** RFC 3986: pchar. Whatever else a path may hold has to be percent-encoded. */
const RAW_SEGMENT = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;
const UNSAFE = /[/\\\u0000-\u001f\u007f]/;

/**
 * Splits a path and decodes its segments once, refusing all that some server could read as another path.
 * A last empty segment stands for the trailing slash of a folder.
 * @param path from its leading `/`, percent-encoded
 * @throws GatewayRefusal INVALID_PATH
 */
export const pathSegments = (path: string): Segment[] => {
  if (!path.startsWith('/')) throw invalid('does not begin with /');
  const parts = path.slice(1).split('/');
  return parts.map((raw, index) => {
    if (raw === '' && index < parts.length - 1) throw invalid('has an empty segment');
    if (!RAW_SEGMENT.test(raw)) throw invalid('holds a character that has to be percent-encoded');
    return { raw, decoded: decodeSegment(raw) };
  });
};

/**
 * Whether a path is what a template of a family's table says.
 * @param uid the acting person: `{uid}` is this id, exactly, after one decoding
 */
export const fits = (template: string, segments: readonly Segment[], uid: string): boolean => {
  const parts = template.slice(1).split('/');
  const open = parts.at(-1) === '**';
  const fixed = open ? parts.slice(0, -1) : parts;
  if (open ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) => {
    const { raw = '', decoded = '' } = segments[index] ?? {};
    if (part === '{uid}') return decoded === uid;
    return part === '*' ? decoded !== '' : raw === part;
  });
};

/** @throws GatewayRefusal INVALID_PATH for malformed encoding and for what is no plain name */
export const decodeSegment = (raw: string): string => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    // URIError: a broken escape, or bytes that are no UTF-8.
    throw invalid('is not valid percent-encoded UTF-8');
  }
  // A file may well be called "My%20File.pdf" (encoded %2520). Refused is only what a server that decodes
  // once too often would take for a way out.
  for (let reading = decoded; ;) {
    if (reading === '.' || reading === '..') throw invalid('holds . or ..');
    if (UNSAFE.test(reading)) throw invalid('holds an encoded slash, backslash or control character');
    const next = decodeAgain(reading);
    if (next === reading) return decoded;
    reading = next;
  }
};

const decodeAgain = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const invalid = (reason: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.INVALID_PATH,
    `The path ${reason}. Encode each segment once with encodeURIComponent.`,
  );
