import { AppError } from '@nuqloud/platform';
import type { DavResponse } from './dav-response';
import { MultistatusParser } from './multistatus-parser';

export const DAV_ERRORS = { UNREADABLE: 'DAV.UNREADABLE' } as const;

/** 150 000 entries of a folder are about 225 MB; more is no listing that anybody waits for. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The resources of a multistatus, one by one, as they arrive. Memory does not grow with the
 * length of the answer.
 * @throws AppError DAV.UNREADABLE for anything but a well-formed, reasonable multistatus in UTF-8
 */
export async function* readMultistatus(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<DavResponse> {
  const parser = new MultistatusParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw unreadable('it is too long');
    yield* parsed(() => parser.write(decoder.decode(chunk, { stream: true })));
  }
  yield* parsed(() => [...parser.write(decoder.decode()), ...parser.end()]);
}

const parsed = (step: () => DavResponse[]): DavResponse[] => {
  try {
    return step();
  } catch (cause) {
    throw unreadable(undefined, cause);
  }
};

const unreadable = (reason?: string, cause?: unknown): AppError =>
  new AppError(
    DAV_ERRORS.UNREADABLE,
    `Nextcloud gave an answer that cannot be read${reason === undefined ? '' : `: ${reason}`}.`,
    { cause },
  );
