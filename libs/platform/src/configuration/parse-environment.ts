import type { z } from 'zod';
import { AppError } from '../errors/app-error';

/** Names each variable that is wrong and what is wrong with it, never its value. */
export class ConfigurationError extends AppError {
  constructor(problems: readonly string[]) {
    super(
      'CONFIG.INVALID',
      `The configuration is not usable:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
  }
}

/**
 * Parses the environment once, where a process begins. An empty variable counts as
 * unset, because Compose and shells hand over empty strings for what is not set.
 */
export const parseEnvironment = <S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<S>> => {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(set, { error: describeWithoutValue });
  if (!result.success) throw new ConfigurationError(result.error.issues.map(problem(set)));
  return Object.freeze(result.data);
};

/** zod's own texts quote what was received for some kinds of issue; ours never do. */
const describeWithoutValue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined ? 'is not set' : `must be a ${issue.expected}`;
    default:
      return undefined;
  }
};

const problem =
  (set: Record<string, unknown>) =>
  (issue: z.core.$ZodIssue): string => {
    const name = String(issue.path[0] ?? 'environment');
    return name in set ? `${name} ${issue.message}` : `${name} is not set`;
  };
