const WINDOW_MS = 30 * 60_000;
const ALLOWED = 10;

/**
 * Nextcloud's brute-force protection, the part a client notices: after more than ten failures from one address
 * within half an hour every call is refused with 429. The real server's growing delays before that are left out.
 */
export class FailureCounter {
  private failures = new Map<string, number[]>();

  isBlocked(address: string, nowMs: number): boolean {
    return this.recent(address, nowMs).length > ALLOWED;
  }

  count(address: string, nowMs: number): void {
    this.failures.set(address, [...this.recent(address, nowMs), nowMs]);
  }

  clear(): void {
    this.failures.clear();
  }

  private recent(address: string, nowMs: number): number[] {
    return (this.failures.get(address) ?? []).filter((at) => at > nowMs - WINDOW_MS);
  }
}
