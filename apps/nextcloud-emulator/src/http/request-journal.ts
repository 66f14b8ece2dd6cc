/** A request that reached "Nextcloud". It holds no query, header or body, and so no secret. */
export interface RequestRecord {
  readonly n: number;
  /** ISO 8601 */
  readonly at: string;
  readonly method: string;
  /** Below the web root, as sent, without the query. */
  readonly path: string;
  /** The user as whom it acted, null for nobody. */
  readonly user: string | null;
  /** Null while it is being answered, and for good when the connection was dropped. */
  status: number | null;
  /** Milliseconds that it took; null as long as `status` is. */
  ms: number | null;
}

export class RequestJournal {
  private records: RequestRecord[] = [];

  add(method: string, path: string, user: string | null, nowMs: number): RequestRecord {
    const record = {
      n: this.records.length + 1,
      at: new Date(nowMs).toISOString(),
      method,
      path,
      user,
      status: null,
      ms: null,
    };
    this.records.push(record);
    return record;
  }

  /** All with a number above `n`. */
  after(n: number): readonly RequestRecord[] {
    return this.records.slice(n);
  }

  clear(): void {
    this.records = [];
  }
}
