import type { z } from 'zod';
import { BUS_ERRORS, BusError } from '../errors';
import type { BusErrorCode } from '../errors';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Largest body in bytes; the server's default limit of 1 MiB counts headers too. */
export const MAX_BODY_BYTES = 1024 * 1024 - 8 * 1024;

export const encodeBody = (name: string, value: unknown): Uint8Array => {
  const bytes = encoder.encode(JSON.stringify(value));
  if (bytes.length > MAX_BODY_BYTES) {
    throw new BusError(
      BUS_ERRORS.TOO_LARGE,
      `${name} has ${bytes.length} bytes; at most ${MAX_BODY_BYTES} fit.`,
    );
  }
  return bytes;
};

/**
 * Parses what somebody else sent. The error names the places that are wrong, never their
 * values: a body may hold chat text or tokens.
 */
export const decodeBody = <S extends z.ZodType>(
  name: string,
  schema: S,
  bytes: Uint8Array,
  code: BusErrorCode,
): z.output<S> => {
  if (bytes.length > MAX_BODY_BYTES) {
    throw new BusError(
      BUS_ERRORS.TOO_LARGE,
      `${name} has ${bytes.length} bytes; at most ${MAX_BODY_BYTES} fit.`,
    );
  }
  const result = schema.safeParse(parseJson(name, bytes, code));
  if (!result.success) throw new BusError(code, `${name} has the wrong shape: ${wrongPlaces(result.error)}.`);
  return result.data;
};

const parseJson = (name: string, bytes: Uint8Array, code: BusErrorCode): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // The parser's own message quotes the text it could not read.
    throw new BusError(code, `${name} is not JSON in UTF-8.`);
  }
};

const NAMED_PLACES = 5;

const wrongPlaces = (error: z.ZodError): string =>
  error.issues
    .slice(0, NAMED_PLACES)
    .map((issue) => `${issue.path.map(String).join('.') || 'the body'} (${issue.code})`)
    .join(', ');
