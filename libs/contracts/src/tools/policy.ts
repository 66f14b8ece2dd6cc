import { z } from 'zod';

export const ToolKind = z.enum(['search', 'read', 'write', 'analyze', 'transcribe', 'bridge']);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * The worst a tool can do. For our own tools the plan of each call decides whether the person is asked; for a third
 * party's tool, whose word on a single call counts for nothing, the policy alone.
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

/** Of a third party: no call of such a tool runs without the person's own "yes". */
export const needsConfirmation = (policy: ToolPolicy): boolean => policy.destructive || policy.openWorld;
