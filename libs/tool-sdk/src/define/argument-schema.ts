import { ArgumentSchema } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { z } from 'zod';

/** A tool that no model could be given; found when it is defined, not when it is called. */
export class InvalidToolDefinition extends AppError {
  constructor(tool: string, problem: string, cause?: unknown) {
    super('TOOL.INVALID_DEFINITION', `The tool "${tool}" cannot be offered: ${problem}.`, { cause });
  }
}

/** Keywords that one or another model refuses anywhere in a schema. */
const REFUSED = ['$ref', '$defs', 'definitions', 'not', 'if', 'patternProperties'] as const;

/**
 * The JSON Schema of a tool's arguments for the model: one plain object, `properties` always
 * there, nothing else allowed in it, without what only costs words.
 * @throws InvalidToolDefinition
 */
export const argumentSchema = (tool: string, schema: z.ZodObject): ArgumentSchema => {
  const generated = generate(tool, schema);
  delete generated.$schema;
  const result = ArgumentSchema.safeParse(generated);
  if (!result.success) throw new InvalidToolDefinition(tool, z.prettifyError(result.error));
  if (generated.additionalProperties !== false) {
    throw new InvalidToolDefinition(tool, 'its arguments must be a z.strictObject');
  }
  const refused = REFUSED.find((keyword) => JSON.stringify(generated).includes(`"${keyword}":`));
  if (refused) throw new InvalidToolDefinition(tool, `models refuse "${refused}" in a schema`);
  return result.data;
};

const generate = (tool: string, schema: z.ZodObject): Record<string, unknown> => {
  try {
    return z.toJSONSchema(schema, {
      target: 'draft-7',
      // What the model writes, before defaults and transformations.
      io: 'input',
      reused: 'inline',
      override: ({ jsonSchema }) => {
        // zod's whole numbers state the limits of JavaScript, which every call would pay for.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    });
  } catch (cause) {
    throw new InvalidToolDefinition(tool, 'its arguments cannot be written as JSON Schema', cause);
  }
};
