import { MAX_RESULT_CHARACTERS, ToolDefinition } from '@nuqloud/contracts';
import type {
  CollectToolProvidersRequest,
  PlannedEffect,
  PlannedTarget,
  ToolPolicy,
  ToolReceipt,
} from '@nuqloud/contracts';
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
  /** What a write did: what the bot claims to have done comes from here. */
  readonly receipt?: ToolReceipt;
  /** Where the content came from, when others than the person could write it: the turn is tainted from here on. */
  readonly foreign?: string;
}

/** What every tool says of itself. */
export interface ToolDescription<Arguments extends z.ZodObject> {
  readonly name: string;
  /** For the model: what it does and when to use it. Every word is paid for on every model call. */
  readonly description: string;
  /** For people, e.g. "List a folder". */
  readonly label: string;
  /** For `help` and the administrator: one sentence. */
  readonly summary: string;
  /** From `readToolPolicy()`, `writeToolPolicy()` and their like. */
  readonly policy: ToolPolicy;
  /**
   * A `z.strictObject`; defaults, refinements and transformations are welcome. Of a call that waits for a "yes" is
   * stored what comes out of it, so that must be JSON that goes in again and comes out the same.
   */
  readonly arguments: Arguments;
  /** Former names. */
  readonly aliases?: readonly string[];
  /** Lower than the common cap where the answer never needs it. */
  readonly maxCharacters?: number;
  /** Whether it works on this Nextcloud; everywhere unless said. */
  available?(instance: Instance): boolean;
}

export interface ToolSpecification<Arguments extends z.ZodObject, Call> extends ToolDescription<Arguments> {
  /** @throws ToolFailure, or any AppError whose message is meant for people */
  run(args: z.output<Arguments>, call: Call): Promise<ToolAnswer>;
}

/** What a call is about, as a look has just found it; a tool adds what it wants to remember of its look. */
export interface Sight {
  /** What the call changes, each with the revision that was seen. */
  readonly targets: readonly PlannedTarget[];
}

/** A tool whose calls may need the person's "yes", decided call by call. */
export interface PlannedToolSpecification<
  Arguments extends z.ZodObject,
  Seen extends Sight,
  Call,
> extends ToolDescription<Arguments> {
  /**
   * Looks at what the call is about, changes nothing, and refuses what cannot be done. It runs a second time after
   * the "yes": with other targets than the first time, the call does nothing.
   * @throws ToolFailure, or any AppError whose message is meant for people
   */
  look(args: z.output<Arguments>, call: Call): Promise<Seen>;
  /** The real effect to ask for, or null where nobody needs to be asked. */
  confirm(
    args: z.output<Arguments>,
    seen: Seen,
    call: Call,
  ): PlannedEffect | null | Promise<PlannedEffect | null>;
  /**
   * Does it, once. An error says that nothing was done.
   * @throws ToolFailure or any AppError; OutcomeUnknown where it may have been done
   */
  act(args: z.output<Arguments>, seen: Seen, call: Call): Promise<ToolAnswer>;
  /** After an OutcomeUnknown: what was done, where looking shows that it was; null where that cannot be told. */
  settled?(args: z.output<Arguments>, seen: Seen, call: Call): Promise<ToolAnswer | null>;
}

/** A call whose arguments are checked. */
export interface PreparedCall<Call> {
  /** As they came out of the tool's schema. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Looks at what it is about. */
  plan(call: Call): Promise<PlannedCall<Call>>;
}

/** A call that has seen what it is about and has changed nothing yet. */
export interface PlannedCall<Call> extends Sight {
  effect(): Promise<PlannedEffect | null>;
  act(): Promise<ToolAnswer>;
  /** @param call a fresh one: the one that acted may be over */
  settled(call: Call): Promise<ToolAnswer | null>;
}

/** A tool as a provider holds it. `Call` is what the provider gives to each call of its tools. */
export interface Tool<Call> {
  readonly definition: ToolDefinition & { policy: ToolPolicy };
  readonly maxCharacters: number;
  available(instance: Instance): boolean;
  /** @throws ToolFailure for arguments that are not right */
  prepare(given: unknown): PreparedCall<Call>;
}

/**
 * Makes a tool out of a value: its JSON Schema for the model comes from its zod schema. For reads, and for writes
 * that nobody needs to be asked about.
 * @throws InvalidToolDefinition
 */
export const defineTool = <Arguments extends z.ZodObject, Call>(
  specification: ToolSpecification<Arguments, Call>,
): Tool<Call> =>
  makeTool(specification, (args, call) =>
    Promise.resolve({
      targets: [],
      effect: () => Promise.resolve(null),
      act: () => specification.run(args, call),
      settled: () => Promise.resolve(null),
    }),
  );

/**
 * Makes a tool that looks before it acts and may have to ask the person first. Who asks, how the answer is judged
 * and that an approved call acts once are not its business.
 * @throws InvalidToolDefinition
 */
export const definePlannedTool = <Arguments extends z.ZodObject, Seen extends Sight, Call>(
  specification: PlannedToolSpecification<Arguments, Seen, Call>,
): Tool<Call> =>
  makeTool(specification, async (args, call: Call) => {
    const seen = await specification.look(args, call);
    return {
      targets: seen.targets,
      effect: async () => specification.confirm(args, seen, call),
      act: () => specification.act(args, seen, call),
      settled: async (fresh) => (await specification.settled?.(args, seen, fresh)) ?? null,
    };
  });

const makeTool = <Arguments extends z.ZodObject, Call>(
  description: ToolDescription<Arguments>,
  plan: (args: z.output<Arguments>, call: Call) => Promise<PlannedCall<Call>>,
): Tool<Call> => {
  const { name, maxCharacters = MAX_RESULT_CHARACTERS } = description;
  if (maxCharacters < 1 || maxCharacters > MAX_RESULT_CHARACTERS) {
    throw new InvalidToolDefinition(name, `maxCharacters must be 1 to ${MAX_RESULT_CHARACTERS}`);
  }
  return {
    definition: { ...definitionOf(description), policy: description.policy },
    maxCharacters,
    available: (instance) => description.available?.(instance) ?? true,
    prepare: (given) => {
      const args = checkArguments(name, description.arguments, given);
      return { arguments: args, plan: (call) => plan(args, call) };
    },
  };
};

const definitionOf = <Arguments extends z.ZodObject>(
  description: ToolDescription<Arguments>,
): ToolDefinition => {
  const { name, policy, label, summary, aliases } = description;
  const result = ToolDefinition.safeParse({
    name,
    description: description.description,
    schema: argumentSchema(name, description.arguments),
    policy,
    label,
    summary,
    ...(aliases && { aliases: [...aliases] }),
  });
  if (!result.success) throw new InvalidToolDefinition(name, z.prettifyError(result.error));
  return result.data;
};
