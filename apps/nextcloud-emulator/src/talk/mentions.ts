/** A mention as it stands in a text. */
export interface Mention {
  /** The characters to replace, e.g. `@"guest/7f3a"`. */
  readonly written: string;
  readonly type: 'user' | 'guest' | 'email' | 'federated_user' | 'group' | 'team';
  readonly id: string;
}

const PREFIXES: readonly (readonly [prefix: string, type: Mention['type'], allowed: RegExp])[] = [
  ['guest/', 'guest', /^[a-f0-9]+$/i],
  ['email/', 'email', /^[a-f0-9]+$/i],
  ['federated_user/', 'federated_user', /^[a-z0-9_\-@.' /:]+$/i],
  ['group/', 'group', /^[a-z0-9_\-@.' /:]+$/i],
  ['team/', 'team', /^[a-z0-9_\-@.' /:]+$/i],
];

/**
 * Finds `@bob`, `@"alice smith"`, `@"guest/<hash>"` and so on, each once, the longest first: Talk numbers them in
 * that order, not in the order of the text. An `@` counts at the start, after white space, or after one of `-@.'`.
 * An unquoted id takes every following letter, digit and `_-@.'`, a full stop at the end of a sentence included.
 */
export function findMentions(text: string): Mention[] {
  const found = new Map<string, Mention>();
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at > 0 && !/[\s\-@.']/.test(text.charAt(at - 1))) continue;
    const mention = mentionAt(text, at);
    if (mention) found.set(mention.written, mention);
  }
  return [...found.values()].sort((a, b) => [...b.written].length - [...a.written].length);
}

function mentionAt(text: string, at: number): Mention | undefined {
  if (text.charAt(at + 1) !== '"') {
    const id = /^[a-z0-9_\-@.']+/i.exec(text.slice(at + 1))?.[0];
    return id === undefined ? undefined : { written: `@${id}`, type: 'user', id };
  }
  const end = text.indexOf('"', at + 2);
  if (end < 0) return undefined;
  const inner = text.slice(at + 2, end);
  const written = text.slice(at, end + 1);
  for (const [prefix, type, allowed] of PREFIXES) {
    if (!inner.startsWith(prefix)) continue;
    const id = inner.slice(prefix.length);
    return allowed.test(id) ? { written, type, id } : undefined;
  }
  return /^[a-z0-9_\-@.' ]+$/i.test(inner) ? { written, type: 'user', id: inner } : undefined;
}
