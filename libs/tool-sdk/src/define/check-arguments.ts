import type { z } from 'zod';
import { ToolFailure } from './tool-failure';

/** Problems named at once: a model repairs two at a time better than ten. */
const NAMED_PROBLEMS = 2;

/**
 * The arguments as the tool takes them. Wrong ones are never repaired or guessed at: the
 * failure names the argument, what is wrong with it and what would be right.
 * @throws ToolFailure
 */
export const checkArguments = <Schema extends z.ZodObject>(
  tool: string,
  schema: Schema,
  given: unknown,
): z.output<Schema> => {
  const result = schema.safeParse(given, { error: wording(schema) });
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, NAMED_PROBLEMS).map(sentence);
  throw new ToolFailure(`${tool} was not run: ${problems.join('; ')}.`);
};

const sentence = (issue: z.core.$ZodIssue): string => {
  const name = issue.path.map(String).join('.');
  return name === '' ? issue.message : `\`${name}\` ${issue.message}`;
};

const wording =
  (schema: z.ZodObject): z.core.$ZodErrorMap =>
  (issue) => {
    switch (issue.code) {
      case 'unrecognized_keys':
        return unknownArguments(issue.keys, Object.keys(schema.shape));
      case 'invalid_type':
        return wrongType(issue.expected, issue.input);
      case 'too_big':
        return `must be at most ${issue.maximum}${unit(issue.origin)}`;
      case 'too_small':
        return `must be at least ${issue.minimum}${unit(issue.origin)}`;
      case 'invalid_value':
        return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
      default:
        // A message of the tool's own, or zod's.
        return undefined;
    }
  };

const unknownArguments = (unknown: readonly string[], known: readonly string[]): string => {
  const names = unknown.map((name) => `\`${name}\``).join(', ');
  const right = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return `there is no argument ${names}, ${right}`;
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const wrongType = (expected: string, input: unknown): string => {
  const right = TYPE_NAMES[expected] ?? expected;
  if (input === undefined) return `is missing and must be ${right}`;
  if (input === null) return `must be ${right}; leave it out instead of sending null`;
  return `must be ${right}`;
};

const unit = (origin: string): string => {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
};
