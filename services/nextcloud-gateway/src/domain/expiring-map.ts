/** A bounded map whose entries end by themselves; the oldest entry makes room for a new one. */
export class ExpiringMap<V> {
  private readonly entries = new Map<string, { value: V; end: number }>();

  constructor(private readonly limit: number) {}

  get(key: string, nowMs: number): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.end > nowMs) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: V, endMs: number): void {
    this.entries.delete(key);
    if (this.entries.size >= this.limit) {
      const oldest = this.entries.keys().next();
      if (!oldest.done) this.entries.delete(oldest.value);
    }
    this.entries.set(key, { value, end: endMs });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
