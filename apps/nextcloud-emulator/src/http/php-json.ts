/**
 * JSON as PHP's `json_encode` writes it by default: compact, `/` as `\/`, everything outside ASCII as `\uXXXX`
 * (surrogate pairs for what needs them). Key order is insertion order, as in PHP.
 */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
