import type { Readable } from 'node:stream';

/** The whole body, or undefined (and the rest unread, the connection kept) when it is longer than `limit` bytes. */
export const readWholeBody = async (body: Readable, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
