declare const checked: unique symbol;

/**
 * A path inside somebody's files as tools speak of it: decoded, absolute, NFC, without `.`, `..`
 * or empty segments, without control characters or backslashes. `/` is the root.
 */
export type FilePath = string & { readonly [checked]: true };

export type ParsedFilePath =
  { readonly ok: true; readonly path: FilePath } | { readonly ok: false; readonly reason: string };

export const ROOT = '/' as FilePath;

const MAX_LENGTH = 4_000;

/**
 * Checks a path that came from outside and brings it into its one form: Unicode NFC, no slash
 * at the end. Everything else is kept as written (`#`, `%`, `+`, quotes, emoji, any script), and
 * what cannot be kept is refused with a reason that completes "the path …".
 */
export const parseFilePath = (input: string): ParsedFilePath => {
  if (!input.startsWith('/')) return refused('must start with "/", for example "/Docs/plan.md"');
  if (input.length > MAX_LENGTH) return refused(`must not be longer than ${MAX_LENGTH} characters`);
  if (/\p{Surrogate}/u.test(input)) return refused('must be valid Unicode');
  if (hasControlCharacter(input)) return refused('must not contain control characters or line breaks');
  if (input.includes('\\')) return refused('must separate folders with "/", not with a backslash');
  if (input === '/') return { ok: true, path: ROOT };
  const segments = input.normalize('NFC').replace(/\/$/, '').slice(1).split('/');
  if (segments.some((segment) => segment === '')) return refused('must not contain an empty part ("//")');
  const decoded = segments.map(fullyDecoded);
  if (decoded.some(isDots)) return refused('must not contain "." or ".." as a part');
  if (decoded.some((segment) => /[/\\]/.test(segment) || hasControlCharacter(segment))) {
    return refused('must not contain an encoded slash, backslash or control character such as "%2F"');
  }
  return { ok: true, path: `/${segments.join('/')}` as FilePath };
};

/** Each part encoded once: the server decodes once, so `+` and `%41` in a name stay what they are. */
export const encodePath = (path: FilePath): string =>
  path === ROOT ? '' : path.split('/').map(encodeURIComponent).join('/');

/** The folders above a path, innermost first, without the root. */
export const ancestorsOf = (path: FilePath): FilePath[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}` as FilePath);
};

/** Whether `path` is `folder` or lies below it; exact spelling. */
export const isWithin = (path: string, folder: FilePath): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`);

const refused = (reason: string): ParsedFilePath => ({ ok: false, reason });

/** C0, DEL, C1 and Unicode's own line and paragraph separators. */
const hasControlCharacter = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

/** What a chain of servers that decodes too often would end up with. */
const fullyDecoded = (segment: string): string => {
  const decoded = segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded === segment ? segment : fullyDecoded(decoded);
};

const isDots = (segment: string): boolean => segment === '.' || segment === '..';
