import { MAX_RESULT_CHARACTERS, ToolDefinition } from '@nuqloud/contracts';
import type { CollectToolProvidersRequest, ToolPolicy } from '@nuqloud/contracts';
import { z } from 'zod';
import { argumentSchema, InvalidToolDefinition } from './argument-schema';
import { checkArguments } from './check-arguments';

/** The Nextcloud that tools are collected for. */
export type Instance = CollectToolProvidersRequest['instance'];

/** What a tool says when it has done its work. */
export interface ToolAnswer {
  readonly text: string;
  /** How to get what a cut takes away, e.g. "Ask for a smaller `length`."; one sentence. */
  readonly rest?: string;
}

export interface ToolSpecification<Arguments extends z.ZodObject, Call> {
  readonly name: string;
  /** For the model: what it does and when to use it. Every word is paid for on every model call. */
  readonly description: string;
  /** For people, e.g. "List a folder". */
  readonly label: string;
  /** For `help` and the administrator: one sentence. */
  readonly summary: string;
  /** From `readToolPolicy()`, `writeToolPolicy()` and their like. */
  readonly policy: ToolPolicy;
  /** A `z.strictObject`; defaults, refinements and transformations are welcome. */
  readonly arguments: Arguments;
  /** Former names. */
  readonly aliases?: readonly string[];
  /** Lower than the common cap where the answer never needs it. */
  readonly maxCharacters?: number;
  /** Whether it works on this Nextcloud; everywhere unless said. */
  available?(instance: Instance): boolean;
  /** @throws ToolFailure, or any AppError whose message is meant for people */
  run(args: z.output<Arguments>, call: Call): Promise<ToolAnswer>;
}

/** A call whose arguments are checked, ready to run. */
export type PreparedCall<Call> = (call: Call) => Promise<ToolAnswer>;

/** A tool as a provider holds it. `Call` is what the provider gives to each call of its tools. */
export interface Tool<Call> {
  readonly definition: ToolDefinition & { readonly policy: ToolPolicy };
  readonly maxCharacters: number;
  available(instance: Instance): boolean;
  /** @throws ToolFailure for arguments that are not right */
  prepare(given: unknown): PreparedCall<Call>;
}

/**
 * Makes a tool out of a value: its JSON Schema for the model comes from its zod schema.
 * @throws InvalidToolDefinition
 */
export const defineTool = <Arguments extends z.ZodObject, Call>(
  specification: ToolSpecification<Arguments, Call>,
): Tool<Call> => {
  const { name, maxCharacters = MAX_RESULT_CHARACTERS } = specification;
  if (maxCharacters < 1 || maxCharacters > MAX_RESULT_CHARACTERS) {
    throw new InvalidToolDefinition(name, `maxCharacters must be 1 to ${MAX_RESULT_CHARACTERS}`);
  }
  return {
    definition: { ...definitionOf(specification), policy: specification.policy },
    maxCharacters,
    available: (instance) => specification.available?.(instance) ?? true,
    prepare: (given) => {
      const args = checkArguments(name, specification.arguments, given);
      return (call) => specification.run(args, call);
    },
  };
};

const definitionOf = <Arguments extends z.ZodObject, Call>(
  specification: ToolSpecification<Arguments, Call>,
): ToolDefinition => {
  const { name, description, policy, label, summary, aliases } = specification;
  const result = ToolDefinition.safeParse({
    name,
    description,
    schema: argumentSchema(name, specification.arguments),
    policy,
    label,
    summary,
    ...(aliases && { aliases: [...aliases] }),
  });
  if (!result.success) throw new InvalidToolDefinition(name, z.prettifyError(result.error));
  return result.data;
};
