import { Validator } from '@cfworker/json-schema';
import type { Schema } from '@cfworker/json-schema';
import type { ArgumentCheck } from '../domain/tool-batch';

const NAMED_MISTAKES = 3;

/**
 * Checks arguments against the schema that the model was given. The validator interprets the
 * schema instead of compiling it to code, because schemas come from other processes.
 */
export const checkArguments: ArgumentCheck = ({ definition }, args) => {
  let result;
  try {
    result = new Validator(definition.schema as Schema, '2020-12', false).validate(args);
  } catch {
    // A schema that cannot be read (a bad pattern, a reference that leads nowhere) costs only its own tool.
    return 'the schema of this tool is broken, so it cannot be called. Go on without it.';
  }
  const { valid, errors } = result;
  if (valid) return undefined;
  const mistakes = errors
    // Enclosing schemas only repeat that something inside them is wrong.
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    .slice(0, NAMED_MISTAKES)
    .map(({ instanceLocation, error }) => `${argumentName(instanceLocation)}: ${error}`);
  return `${mistakes.join(' ')} Call it again with arguments that fit its schema.`;
};

const argumentName = (location: string): string => location.replace(/^#\/?/, '') || 'arguments';
