import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { z } from 'zod';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { NextcloudAnswer, NextcloudRequest } from '../ports/nextcloud';
import { readWholeBody } from '../forward-request/read-whole-body';

const MAX_BYTES = 1024 * 1024;
/** Whoever asks over the bus waits 5 s; a Nextcloud that hangs must not fill the service with questions. */
const PATIENCE_MS = 8_000;

/** A question to Nextcloud's own API, answered in JSON. */
export const ocsQuestion = (path: string): NextcloudRequest => ({
  method: 'GET',
  path: `${path}?format=json`,
  headers: { 'ocs-apirequest': 'true', accept: 'application/json' },
  patienceMs: PATIENCE_MS,
});

/**
 * Something that Nextcloud's own API is to do.
 * @param options.patient it may take as long as any request
 */
export const ocsCommand = (
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  parameters: object,
  { patient = false } = {},
): NextcloudRequest => {
  const body = Buffer.from(JSON.stringify(parameters));
  const { headers, patienceMs = Infinity } = ocsQuestion(path);
  return {
    method,
    path: `${path}?format=json`,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    body,
    patienceMs: patient ? Infinity : patienceMs,
  };
};

/** Reads a JSON answer of Nextcloud's own API. @throws GatewayRefusal UNREADABLE_ANSWER, UNREACHABLE */
export const readOcsAnswer = async <S extends z.ZodType>(
  { status, body }: NextcloudAnswer,
  schema: S,
): Promise<z.output<S>> => {
  if (status !== 200) {
    body.destroy();
    // Maintenance and overload pass; any other status does not.
    throw status >= 500 ? unavailable(`it answered with status ${status}`) : unreadable(`status ${status}`);
  }
  const bytes = await readWholeBody(body, MAX_BYTES).catch((cause: unknown) => {
    throw unavailable('its answer broke off', cause);
  });
  if (!bytes) {
    body.destroy();
    throw unreadable('it is too long');
  }
  const parsed = schema.safeParse(parseJson(bytes));
  if (!parsed.success) throw unreadable('unexpected JSON');
  return parsed.data;
};

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's message would quote the page that came instead.
    throw unreadable('no JSON');
  }
};

const unavailable = (reason: string, cause?: unknown): GatewayRefusal =>
  new GatewayRefusal(GATEWAY_REFUSALS.UNREACHABLE, `Nextcloud is not available at the moment: ${reason}.`, {
    cause,
  });

const unreadable = (reason: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.UNREADABLE_ANSWER,
    `Nextcloud did not answer as its API promises (${reason}).`,
  );
