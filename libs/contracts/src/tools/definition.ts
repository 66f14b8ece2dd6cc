import { z } from 'zod';
import { ToolName } from '../ids';
import { ToolPolicy } from './policy';

/** What endpoints refuse at the top of a tool's schema. */
const REFUSED_AT_THE_TOP = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'] as const;

/** A JSON Schema of an object, as the model sees it; its top level is one plain object, because several endpoints refuse anything else. */
export const ArgumentSchema = z
  .looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()),
    required: z.array(z.string()).optional(),
  })
  .refine((schema) => !REFUSED_AT_THE_TOP.some((keyword) => keyword in schema), {
    error: `its top level must be one plain object, without ${REFUSED_AT_THE_TOP.join(', ')}`,
  });
export type ArgumentSchema = z.infer<typeof ArgumentSchema>;

/** A tool as a provider offers it. A tool without a policy counts as a write that needs confirmation. */
export const ToolDefinition = z.object({
  name: ToolName,
  description: z.string().min(1).max(2_000),
  schema: ArgumentSchema,
  policy: ToolPolicy.optional(),
  /** Short name for people, e.g. "List a folder". */
  label: z.string().max(80).optional(),
  /** One sentence for `help` and the administrator. */
  summary: z.string().max(300).optional(),
  /** Former names: an assignment to one of them still finds the tool. */
  aliases: z.array(ToolName).max(10).optional(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;
