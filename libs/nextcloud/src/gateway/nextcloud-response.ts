import { answerInterrupted } from './gateway-errors';

/** An answer whose body is read at most once, as it arrives. */
export class NextcloudResponse {
  constructor(
    private readonly response: Response,
    private readonly signal: AbortSignal,
  ) {}

  get status(): number {
    return this.response.status;
  }

  header(name: string): string | null {
    return this.response.headers.get(name);
  }

  /**
   * The body, chunk by chunk; who stops reading ends the transfer.
   * @throws AppError GATEWAY.INTERRUPTED, or the reason of the call's abort
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (!this.response.body) return;
    try {
      for await (const chunk of this.response.body as ReadableStream<Uint8Array>) yield chunk;
    } catch (cause) {
      this.signal.throwIfAborted();
      throw answerInterrupted(cause);
    }
  }

  /** The first `maxBytes` of the body as text; what follows is not transferred. */
  async text(maxBytes: number): Promise<string> {
    const kept: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.chunks()) {
      kept.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
    return Buffer.concat(kept).subarray(0, maxBytes).toString('utf8');
  }

  /** Ends the transfer of a body that nobody needs. */
  async discard(): Promise<void> {
    await this.response.body?.cancel();
  }
}
