/**
 * The `Retry-After` header (RFC 9110, 10.2.3), in seconds or as a date.
 * @returns milliseconds from `nowMs`; undefined when there is none that makes sense
 */
export const readRetryAfter = (header: string | null | undefined, nowMs: number): number | undefined => {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  // HTTP dates end in GMT; Date.parse would also find a date in `-5`.
  return !value.endsWith('GMT') || Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};
