import { z } from 'zod';

export const ToolKind = z.enum(['search', 'read', 'write', 'analyze', 'transcribe', 'bridge']);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * What a tool can do at worst; every field is enforced by the agent.
 * `loopThreshold` is the number of identical consecutive batches after which the loop stops.
 */
export const ToolPolicy = z.strictObject({
  kind: ToolKind,
  readOnly: z.boolean(),
  destructive: z.boolean(),
  idempotent: z.boolean(),
  openWorld: z.boolean(),
  loopThreshold: z.number().int().min(1).max(50),
});
export type ToolPolicy = z.infer<typeof ToolPolicy>;

const safeRead = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;

export const searchToolPolicy = (): ToolPolicy => ({ kind: 'search', ...safeRead, loopThreshold: 10 });
export const readToolPolicy = (): ToolPolicy => ({ kind: 'read', ...safeRead, loopThreshold: 8 });
export const writeToolPolicy = (over: Partial<Pick<ToolPolicy, 'idempotent'>> = {}): ToolPolicy => ({
  kind: 'write',
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
  loopThreshold: 4,
  ...over,
});
export const destructiveToolPolicy = (): ToolPolicy => ({ ...writeToolPolicy(), destructive: true });
export const openWorldToolPolicy = (): ToolPolicy => ({ ...writeToolPolicy(), openWorld: true });

/** What a tool that declares nothing is taken for: a write that needs confirmation. */
export const undeclaredToolPolicy = (): ToolPolicy => ({
  ...writeToolPolicy(),
  destructive: true,
  openWorld: true,
});

/** A call of such a tool never runs without the person's own "yes". */
export const needsConfirmation = (policy: ToolPolicy): boolean => policy.destructive || policy.openWorld;
