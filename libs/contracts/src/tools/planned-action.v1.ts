import { z } from 'zod';
import { ActingMode } from '../gateway/gateway-http';
import { BotSlug, InstanceId, MessageId, ProviderId, RoomToken, ToolName } from '../ids';
import { ExecuteToolRequest, ResourceScope } from './execute-tool.v1';

/** Something that an action changes, as its plan found it. */
export const PlannedTarget = z.strictObject({
  /** What does not change when it is renamed, e.g. a file id; empty where there is nothing yet. */
  id: z.string().max(255),
  /** What people call it, e.g. a path. */
  name: z.string().min(1).max(4_000),
  /** ETag or field hash; null where there is nothing yet that could change. */
  revision: z.string().max(255).nullable(),
});
export type PlannedTarget = z.infer<typeof PlannedTarget>;

/** SHA-256, lower-case hex. */
export const ActionHash = z.string().regex(/^[0-9a-f]{64}$/);
export type ActionHash = z.infer<typeof ActionHash>;

/**
 * Exactly what is going to be done, by whom and where it was asked for. Its hash (SHA-256 over its RFC 8785 form)
 * is what a person approves; anything that differs in any field is another action.
 */
export const PlannedAction = z.strictObject({
  v: z.literal(1),
  provider: ProviderId,
  tool: ToolName,
  /** Normalised: as the tool will take them, not as the model wrote them. */
  arguments: z.record(z.string(), z.unknown()),
  targets: z.array(PlannedTarget).max(50),
  /** The asker as attested, `users/<uid>`. */
  sub: z.string().startsWith('users/').max(1_200),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  thread: MessageId.optional(),
  /** The message that asked. */
  message: MessageId,
  mode: ActingMode,
  profile: z.string().max(40).nullable(),
  /** As whom Nextcloud is asked. */
  uid: z.string().min(1).max(64),
  scope: ResourceScope.optional(),
  /** Of the call that was planned: what a tool asks for depends on it. */
  taint: ExecuteToolRequest.shape.taint,
  /** Over the effect that the person is shown, without its `source` facts: with another effect it is not done. */
  effectHash: ActionHash,
});
export type PlannedAction = z.infer<typeof PlannedAction>;

/** Free text of somebody: shown as a name, never as markup, a line or a mention. */
const Name = z.string().min(1).max(4_000);

/** What a prompt says beside the deed itself. A person reads all of them. */
export const EffectFact = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('size'), bytes: z.number().int().nonnegative() }),
  /** A folder's content; `atLeast` where it was not counted to its end. */
  z.strictObject({
    kind: z.literal('contains'),
    files: z.number().int().nonnegative(),
    bytes: z.number().int().nonnegative().nullable(),
    atLeast: z.boolean(),
  }),
  /** Who else can open it; `more` of them are not named. */
  z.strictObject({
    kind: z.literal('access'),
    names: z.array(Name).max(20),
    more: z.number().int().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('goes-to-trash') }),
  /** It was not looked through to its end: others than those named may have access to parts of it. */
  z.strictObject({ kind: z.literal('not-all-seen') }),
  z.strictObject({ kind: z.literal('is-final') }),
  /** A received share: it only leaves this person's view, and stays with its owner. */
  z.strictObject({ kind: z.literal('stays-with'), name: Name }),
  z.strictObject({ kind: z.literal('keeps-version') }),
  z.strictObject({ kind: z.literal('keeps-no-version') }),
  /** The version that comes back. */
  z.strictObject({ kind: z.literal('version-of'), at: z.iso.datetime() }),
  /** Where the instruction may have come from: not from the person. */
  z.strictObject({ kind: z.literal('source'), name: Name }),
  /** Of a call that is known by its tool and arguments only. */
  z.strictObject({ kind: z.literal('argument'), name: Name, value: z.string().max(4_000) }),
]);
export type EffectFact = z.infer<typeof EffectFact>;

/** The deed in one of the words that `confirmation` can say; `call` names a tool by its label. */
export const EffectVerb = z.enum([
  'files.delete',
  'files.overwrite',
  'files.restore-version',
  'files.write-shared',
  'files.append-shared',
  'files.mkdir-shared',
  'files.restore-shared',
  'call',
]);
export type EffectVerb = z.infer<typeof EffectVerb>;

/** The real effect of an action, from which the prompt is written by code. */
export const PlannedEffect = z.strictObject({
  verb: EffectVerb,
  target: Name,
  facts: z.array(EffectFact).max(30),
});
export type PlannedEffect = z.infer<typeof PlannedEffect>;

export const PLAN_TYPE = 'nuqloud-plan+jwt';
export const PLAN_AUDIENCE = 'confirmation';
/** Seconds a plan can be proposed: a turn lasts ten minutes. */
export const PLAN_TTL_S = 11 * 60;
/** Characters; a file's new content may be part of it. */
export const MAX_PLAN_LENGTH = 600_000;
export const PlanToken = z.string().max(MAX_PLAN_LENGTH);

/** Claims of the EdDSA JWT with which a tool service says what a call would do; `iss` is the service. */
export const PlanClaims = z.object({
  iss: z.string().min(1),
  aud: z.literal(PLAN_AUDIENCE),
  actions: z
    .array(z.strictObject({ action: PlannedAction, hash: ActionHash, effect: PlannedEffect }))
    .min(1)
    .max(10),
  jti: z.string().min(16).max(64),
  iat: z.number().int(),
  exp: z.number().int(),
});
export type PlanClaims = z.infer<typeof PlanClaims>;
