/** One delivery to a bot, with exactly the bytes that were sent. */
export interface WebhookRecord {
  readonly n: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null while the bot has not answered, and for good when it could not be reached or took too long. */
  status: number | null;
  ms: number;
}

export class WebhookLog {
  private records: WebhookRecord[] = [];

  add(url: string, headers: Readonly<Record<string, string>>, body: string): WebhookRecord {
    const record: WebhookRecord = { n: this.records.length + 1, url, headers, body, status: null, ms: 0 };
    this.records.push(record);
    return record;
  }

  get(n: number): WebhookRecord | undefined {
    return this.records[n - 1];
  }

  after(n: number): readonly WebhookRecord[] {
    return this.records.slice(n);
  }

  clear(): void {
    this.records = [];
  }
}
