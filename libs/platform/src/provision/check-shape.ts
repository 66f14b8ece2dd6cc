import { ProvisionFile } from '@nuqloud/contracts';
import { z } from 'zod';
import type { ProvisionPath } from './provision-error';

export interface Mistake {
  readonly path: ProvisionPath;
  readonly message: string;
  /** Whether the key is wrong, not what stands behind it. */
  readonly of?: 'key';
}

/** The file as its schema reads it, or every way in which it does not fit. */
export const checkShape = (value: unknown): { file: ProvisionFile } | { mistakes: Mistake[] } => {
  const result = ProvisionFile.safeParse(value, { error: describe });
  return result.success ? { file: result.data } : { mistakes: mistakesOf(result.error.issues) };
};

/** zod's own texts for what does not fit, in the file's terms and without the value. */
export const describe: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${EXPECTED[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `there is no such field here; possible are ${fieldsOf(issue.inst).join(', ')}`;
    case 'too_small':
      return issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    default:
      return undefined;
  }
};

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text; put it in quotes if it looks like something else',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map',
};

const unit = (origin: string): string =>
  ({ string: ' characters long', array: ' entries long' })[origin] ?? '';

const fieldsOf = (schema: unknown): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

const mistakesOf = (issues: readonly z.core.$ZodIssue[], base: ProvisionPath = []): Mistake[] =>
  issues.flatMap((issue): Mistake[] => {
    const path = [...base, ...(issue.path as ProvisionPath)];
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({ path: [...path, key], message: issue.message, of: 'key' }));
      case 'invalid_key':
        return [{ path, message: issue.issues[0]?.message ?? issue.message, of: 'key' }];
      case 'invalid_union': {
        const meant = optionMeant(issue.errors);
        return meant ? mistakesOf(meant, path) : [{ path, message: issue.message }];
      }
      default:
        return [{ path, message: issue.message }];
    }
  });

/** Of several forms that a value may take, the one it has the type of, if that is only one: its issues say more. */
const optionMeant = (
  options: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined => {
  const possible = options.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return possible.length === 1 ? possible[0] : undefined;
};
