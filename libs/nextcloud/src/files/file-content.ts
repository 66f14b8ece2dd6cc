import { answerInterrupted } from '../gateway/gateway-errors';
import type { NextcloudResponse } from '../gateway/nextcloud-response';

/** Bytes `start` to `start + length - 1`. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

export interface FileContent {
  /** Of the whole file, where the server says so. */
  readonly size: number | null;
  readonly etag: string | null;
  /** The bytes asked for, as they arrive; GATEWAY.INTERRUPTED where fewer come than were announced. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The content of an answer 200 or 206. A server that ignored the range is read up to its end only. */
export const readFileContent = (response: NextcloudResponse, range: ByteRange | undefined): FileContent => {
  const isPart = response.status === 206;
  const announced = lengthOf(response);
  return {
    size: isPart ? totalOf(response) : announced,
    etag: response.header('etag'),
    chunks: range && !isPart ? cut(complete(response, announced), range) : complete(response, announced),
  };
};

/** Connections kept alive have been seen to end bodies early without an error. */
async function* complete(response: NextcloudResponse, announced: number | null): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of response.chunks()) {
    received += chunk.length;
    yield chunk;
  }
  if (announced !== null && received < announced) throw answerInterrupted();
}

async function* cut(chunks: AsyncIterable<Uint8Array>, range: ByteRange): AsyncGenerator<Uint8Array> {
  const end = range.start + range.length;
  let at = 0;
  for await (const chunk of chunks) {
    const from = Math.max(0, range.start - at);
    const to = Math.min(chunk.length, end - at);
    if (to > from) yield chunk.subarray(from, to);
    at += chunk.length;
    if (at >= end) return;
  }
}

const lengthOf = (response: NextcloudResponse): number | null => whole(response.header('content-length'));

/** `bytes 0-4/12` */
const totalOf = (response: NextcloudResponse): number | null =>
  whole(response.header('content-range')?.split('/')[1] ?? null);

const whole = (text: string | null): number | null =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
