import { z } from 'zod';
import { BotSlug, InstanceId, ProviderId, RoomToken, ToolName } from '../ids';
import { ResourceScope } from '../tools/execute-tool.v1';

/**
 * `${NAME}`, `file:PATH` or the secret itself. It stays as written until the one service that
 * needs it resolves it, because no other process has that variable or file.
 */
const SecretReference = z.string().min(1);

/** Fields of the file that hold a SecretReference, by their key. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['talkSecret', 'secret', 'appPassword']);

/** Nextcloud keeps Talk bot secrets between 40 and 128 bytes; a shorter one can be no bot's. */
export const TalkSecret = z
  .string()
  .min(40, 'must have 40 to 128 bytes')
  .max(128, 'must have 40 to 128 bytes');

/** `files_*` and the like: expanded once, when first applied. */
const ToolPattern = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,62}\*$/, 'a tool pattern is a name beginning with one * at its end');

const ToolAssignment = z.strictObject({
  name: ToolName,
  scope: ResourceScope.optional(),
  mode: z.enum(['user', 'agent']).default('user'),
  profile: ProviderId.optional(),
  confirm: z.enum(['default', 'always']).default('default'),
});
export type ToolAssignment = z.infer<typeof ToolAssignment>;

const ToolEntry = z.union([ToolName, ToolPattern, ToolAssignment], {
  error: 'must be a tool name, a pattern such as files_*, or { name, scope?, mode?, profile?, confirm? }',
});

/** The origin and the sub-folder, without the `/index.php` and the slashes that people, and AppAPI, copy along. */
const normaliseBaseUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/(\/+index\.php)?\/*$/, '');
};

const Instance = z.strictObject({
  id: InstanceId,
  /** Base URL including a sub-folder, e.g. https://cloud.example.org/nextcloud; without a slash at its end. */
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).transform(normaliseBaseUrl),
  appApi: z
    .strictObject({
      id: z.string().min(1).max(64),
      secret: SecretReference,
      version: z.string().min(1).max(40),
      bot: BotSlug.optional(),
    })
    .optional(),
  historyReader: z.string().min(1).max(64).optional(),
});
export type ProvisionInstance = z.infer<typeof Instance>;

const Profile = z.strictObject({
  id: ProviderId,
  instance: InstanceId,
  label: z.string().min(1).max(200),
  userId: z.string().min(1).max(64),
  loginName: z.string().min(1).max(255),
  appPassword: SecretReference,
  families: z.array(ProviderId).min(1),
});

export const RoomMode = z.enum(['mention', 'always', 'off']);
export type RoomMode = z.infer<typeof RoomMode>;

const Rooms = z.record(z.union([z.literal('default'), RoomToken]), RoomMode).default({ default: 'mention' });

export const AllowedUsers = z.union(
  [
    z.literal('everyone'),
    z.strictObject({ groups: z.array(z.string().min(1)).min(1) }),
    z.strictObject({ users: z.array(z.string().min(1)).min(1) }),
  ],
  { error: 'must be `everyone`, { groups: [...] } or { users: [...] }' },
);
export type AllowedUsers = z.infer<typeof AllowedUsers>;

export const BotModel = z.strictObject({
  /** Empty: the model named in the environment. */
  name: z.string().max(200).optional(),
  temperature: z.number().min(0).max(2).optional(),
});
export type BotModel = z.infer<typeof BotModel>;

const Bot = z.strictObject({
  slug: BotSlug,
  instance: InstanceId,
  name: z.string().min(1).max(64),
  talkSecret: SecretReference,
  triggers: z.array(z.string().trim().min(1).max(64)).max(20).default([]),
  rooms: Rooms,
  prompt: z.string().max(20_000).default(''),
  model: BotModel.default({}),
  users: AllowedUsers.default('everyone'),
  guests: z.boolean().default(false),
  forcedSearch: z.enum(['off', 'auto', 'always']).default('auto'),
  tools: z.array(ToolEntry).max(200).default([]),
});
export type ProvisionBot = z.infer<typeof Bot>;

/** The administrator's YAML, after `${NAME}` and `file:PATH` have been resolved outside secret fields. */
export const ProvisionFile = z.strictObject({
  version: z.literal(1),
  instances: z.array(Instance).min(1),
  profiles: z.array(Profile).default([]),
  bots: z.array(Bot).default([]),
});
export type ProvisionFile = z.infer<typeof ProvisionFile>;
