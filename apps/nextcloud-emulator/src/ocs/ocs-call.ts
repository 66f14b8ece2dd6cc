import type { OutgoingHttpHeaders } from 'node:http';
import type { Emulation } from '../emulation';
import type { Exchange } from '../http/exchange';
import type { PathParameters, Router } from '../http/router';

export interface OcsCall {
  readonly emulation: Emulation;
  readonly exchange: Exchange;
  readonly path: PathParameters;
  /** The parameters of query and body together, the body's winning; values as the client sent them. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface OcsAnswer {
  readonly status: number;
  readonly data: unknown;
  /** `meta.message`; default `OK` for a success, else empty. */
  readonly message?: string;
  /** `meta.statuscode` where it differs from the HTTP status. */
  readonly statuscode?: number;
  readonly headers?: OutgoingHttpHeaders;
}

/** A failure in the envelope. */
export class OcsFailure extends Error {
  override readonly name = 'OcsFailure';

  constructor(
    readonly status: number,
    message = '',
    readonly data: unknown = [],
    readonly statuscode = status,
  ) {
    super(message);
  }
}

export interface OcsRoute {
  /** Who may call; default a logged-in user. */
  readonly access?: 'public' | 'user' | 'admin' | 'exapp';
  /** Needs no `OCS-APIRequest` header. */
  readonly csrfExempt?: boolean;
  handle(call: OcsCall): OcsAnswer | Promise<OcsAnswer>;
}

export type OcsRouter = Router<OcsRoute>;

/** The acting user's id on a route that only users reach. */
export function actingUser(call: OcsCall): string {
  const { identity } = call.exchange;
  if (identity.kind !== 'user') throw new OcsFailure(401, 'Current user is not logged in', [], 997);
  return identity.uid;
}

export function textParameter(call: OcsCall, name: string): string {
  const value = call.parameters[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Like PHP's cast: what is not a number is 0. */
export function numberParameter(call: OcsCall, name: string, fallback = 0): number {
  const value = call.parameters[name];
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && value !== '' ? Number.parseInt(value, 10) || 0 : fallback;
}

export function flagParameter(call: OcsCall, name: string): boolean {
  const value = call.parameters[name];
  return value === true || value === 1 || value === '1' || value === 'true';
}
