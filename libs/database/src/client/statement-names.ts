/** A service has fewer different statements; whatever comes on top is planned each time, so that no memory fills up. */
const NAMED_STATEMENTS = 500;

/**
 * Names statements by their text: with a name a connection parses and plans a statement once, which costs more than running most of ours.
 */
export const statementNames = (): ((query: { sql: string }) => string) => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= NAMED_STATEMENTS) return known ?? '';
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
};
