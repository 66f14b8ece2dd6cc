/** PostgreSQL stores no NUL, and half a surrogate pair is no UTF-8: neither may travel on from here. */
export const storableText = (text: string): string =>
  text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');

/** At most `max` UTF-16 units, without half a character at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, wholeCharacters(text, max));

/** The largest end of a slice, at most `end`, that does not cut a character in two. */
export const wholeCharacters = (text: string, end: number): number =>
  (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;

/** A name stands within a line, so that it cannot forge lines of its own. */
export const singleLine = (name: string, max: number): string =>
  cutText(
    storableText(name)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    max,
  );
