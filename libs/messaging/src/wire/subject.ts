import type { SubjectParams } from '@nuqloud/contracts';
import { BUS_ERRORS, BusError } from '../errors';

const TOKEN = /^[a-z0-9-]{1,40}$/;
const PARAMETER = /\{([a-zA-Z]+)\}/g;

/**
 * The subject of one message. Values come from outside (room tokens, provider ids), so
 * whatever could be a wildcard or a further token is refused.
 */
export const subjectOf = <S extends string>(pattern: S, params: SubjectParams<S>): string =>
  pattern.replace(PARAMETER, (_match, name: string) => {
    const value = (params as Record<string, string | undefined>)[name];
    if (value === undefined || !TOKEN.test(value)) {
      throw new BusError(
        BUS_ERRORS.INVALID_SUBJECT,
        `"${name}" of ${pattern} must be 1 to 40 of a-z, 0-9 and -.`,
      );
    }
    return value;
  });

/** The subjects somebody listens on: known parameters filled, the others open. */
export const subjectPattern = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(PARAMETER, (_match, name: string) => params[name] ?? '*');

/**
 * Refuses a body that says something else than the subject it came on: who may send what is permitted by
 * subject, so a body that names another provider or room claims what its sender was not allowed.
 */
export const requireSameAsSubject = (pattern: string, subject: string, body: unknown): void => {
  const tokens = subject.split('.');
  for (const [place, token] of pattern.split('.').entries()) {
    const [, name] = /^\{([a-zA-Z]+)\}$/.exec(token) ?? [];
    const said = name === undefined ? undefined : (body as Readonly<Record<string, unknown>>)[name];
    if (said !== undefined && said !== tokens[place]) {
      throw new BusError(
        BUS_ERRORS.INVALID_REQUEST,
        `"${name}" of a message on ${pattern} is not that of its subject.`,
      );
    }
  }
};
