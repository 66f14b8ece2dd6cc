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
