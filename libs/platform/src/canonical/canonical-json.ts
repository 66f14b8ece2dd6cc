import { createHash } from 'node:crypto';
import type { PlannedAction, PlannedEffect } from '@nuqloud/contracts';
import { AppError } from '../errors/app-error';

/** A value that JSON cannot carry unchanged. */
export class NotCanonical extends AppError {
  constructor(what: string) {
    super('JSON.NOT_CANONICAL', `The value holds ${what}, which JSON cannot carry unchanged.`);
  }
}

/**
 * JSON in the one form of RFC 8785 (JCS): no white space, keys sorted by UTF-16 code units, numbers and strings
 * as ECMAScript writes them. Equal values have equal bytes, whatever order they were written in.
 * Members that are `undefined` are left out, as JSON does.
 * @throws NotCanonical for what I-JSON refuses: numbers that are not finite, lone surrogates, functions and the like
 */
export const canonicalJson = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new NotCanonical('half a character');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonical('a number that is not finite');
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
      return canonicalObject(value);
    default:
      throw new NotCanonical(`something of the type ${typeof value}`);
  }
};

const canonicalObject = (value: object): string => {
  const entries: [string, unknown][] = Object.entries(value);
  const members = entries
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
};

/**
 * What a person approves: SHA-256 over the canonical JSON of an action, lower-case hex.
 * @throws NotCanonical
 */
export const actionHash = (action: PlannedAction): string => sha256(canonicalJson(action));

/**
 * What a person is shown of an action: SHA-256 over the canonical JSON of its effect, lower-case hex. Where the
 * instruction came from is no part of what happens, so `source` facts are left out.
 * @throws NotCanonical
 */
export const effectHash = (effect: PlannedEffect): string =>
  sha256(canonicalJson({ ...effect, facts: effect.facts.filter(({ kind }) => kind !== 'source') }));

/** Over the UTF-8 of a text, lower-case hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
