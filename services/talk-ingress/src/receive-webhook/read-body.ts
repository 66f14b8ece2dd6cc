import type { Readable } from 'node:stream';

export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Reads a request's body as it is, because the signature covers its bytes.
 * @param declared its length as the client says
 * @returns undefined as soon as it is known to be too long; the rest stays unread
 */
export const readBody = async (
  body: Readable | undefined,
  declared: string | undefined,
): Promise<Buffer | undefined> => {
  if (Number(declared ?? 0) > MAX_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The stream must outlive the loop: ending it would end the connection before the answer.
  for await (const chunk of body?.iterator({ destroyOnReturn: false }) ?? []) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, bytes);
};
