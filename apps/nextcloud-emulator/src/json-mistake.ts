const SPACE = /[ \t\r\n]+/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where JSON stops being JSON, as line and column from 1. `JSON.parse` tells no place for most mistakes, and quotes
 * the text around it, which in a fixture may be a secret.
 */
export function placeOfJsonMistake(source: string): { line: number; column: number } {
  const before = source.slice(0, validPrefix(source)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function validPrefix(source: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    SPACE.lastIndex = at;
    if (SPACE.test(source)) at = SPACE.lastIndex;
    pattern.lastIndex = at;
    const found = pattern.test(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const value = (): boolean => {
    if (take(/\{/y)) return members(/\}/y, () => take(STRING) && take(/:/y) && value());
    if (take(/\[/y)) return members(/\]/y, value);
    return take(STRING) || take(SCALAR);
  };
  const members = (end: RegExp, member: () => boolean): boolean => {
    if (take(end)) return true;
    while (member()) {
      if (take(end)) return true;
      if (!take(/,/y)) return false;
    }
    return false;
  };
  value();
  take(/$/y);
  return at;
}
