import { z } from 'zod';
import { BotSlug, InstanceId, ProviderId, RoomToken, ToolName } from '../ids';
import { exactName, folderPath, longText, shownName } from './free-text';

/**
 * `${NAME}`, `file:PATH` or the secret itself. It stays as written until the one service that
 * needs it resolves it, because no other process has that variable or file.
 */
const SecretReference = exactName(4_000);

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
  /** Folders of the person's files; everything outside is refused. */
  scope: z.strictObject({ paths: z.array(folderPath).min(1).max(50).optional() }).optional(),
  /** With the rights of whoever wrote, or of an agent profile; `agent` is refused as yet. */
  mode: z.enum(['user', 'agent']).default('user'),
  /** Id of the agent profile; agent mode needs it. */
  profile: ProviderId.optional(),
  /** `always`: every call asks the person first. It cannot be made to ask less than the tool does. */
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

const hasNo = (url: string, ...parts: ('username' | 'password' | 'search' | 'hash')[]): boolean =>
  !URL.canParse(url) || parts.every((part) => new URL(url)[part] === '');

const Instance = z.strictObject({
  id: InstanceId,
  /** Base URL including a sub-folder, e.g. https://cloud.example.org/nextcloud; without a slash at its end. */
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => hasNo(url, 'username', 'password'), {
      error: 'must not hold a user name or a password: they would be shown and logged, and are never used',
    })
    .refine((url) => hasNo(url, 'search', 'hash'), 'must end with its path, without ? and #')
    .transform(normaliseBaseUrl),
  /** Without it nobody can act there. */
  appApi: z
    .strictObject({
      /** As the app is registered. */
      id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 of letters, digits, _ and -'),
      secret: SecretReference,
      /** As the app is registered; a higher one raises it there. */
      version: z.string().regex(/^[0-9A-Za-z.+-]{1,40}$/, 'must be a version, for example 1.2.0'),
      /** The bot that Talk reaches through AppAPI; it is registered there while the app is enabled. */
      bot: BotSlug.optional(),
    })
    .optional(),
  /** User id of a member of the rooms: what is written while talk-ingress is away is read as this account. AppAPI is needed for that. */
  historyReader: exactName(64).optional(),
});
export type ProvisionInstance = z.infer<typeof Instance>;

const Profile = z.strictObject({
  id: ProviderId,
  instance: InstanceId,
  /** Its name for people. */
  label: shownName(200),
  /** Account in Nextcloud; not an administrator's. */
  userId: exactName(64),
  loginName: exactName(255),
  appPassword: SecretReference,
  /** Tool families that may act through it, e.g. `files`. */
  families: z.array(ProviderId).min(1),
});

export const RoomMode = z.enum(['mention', 'always', 'off']);
export type RoomMode = z.infer<typeof RoomMode>;

const Rooms = z.record(z.union([z.literal('default'), RoomToken]), RoomMode).default({ default: 'mention' });

export const AllowedUsers = z.union(
  [
    z.literal('everyone'),
    z.strictObject({ groups: z.array(exactName(255)).min(1) }),
    z.strictObject({ users: z.array(exactName(64)).min(1) }),
  ],
  { error: 'must be `everyone`, { groups: [...] } or { users: [...] }' },
);
export type AllowedUsers = z.infer<typeof AllowedUsers>;

/** Which model answers, and how. */
export const BotModel = z.strictObject({
  /** Empty: the model named in the environment. */
  name: z.union([z.literal(''), exactName(200)]).optional(),
  temperature: z.number().min(0).max(2).optional(),
});
export type BotModel = z.infer<typeof BotModel>;

const Bot = z.strictObject({
  /** The last part of the webhook's address; unique in the installation. */
  slug: BotSlug,
  instance: InstanceId,
  /** As people know it. */
  name: shownName(64),
  /** Of the plain Talk bot; one that only comes through AppAPI (`appApi.bot`) needs none. */
  talkSecret: SecretReference.optional(),
  /** Words that address it, beside its name and its slug. */
  triggers: z.array(shownName(64)).max(20).default([]),
  /** By room, or `default`: answers when it is addressed, to everything, or not at all. */
  rooms: Rooms,
  /** What it is told about its task. */
  prompt: longText(20_000).default(''),
  model: BotModel.default({}),
  /** Local users it talks to. */
  users: AllowedUsers.default('everyone'),
  /** Whether guests and federated users may chat; they never reach a tool. */
  guests: z.boolean().default(false),
  /** Whether a search is required where a person clearly asks to look something up. */
  forcedSearch: z.enum(['off', 'auto', 'always']).default('auto'),
  /** Its tools: names, patterns, or with settings. */
  tools: z.array(ToolEntry).max(200).default([]),
});
export type ProvisionBot = z.infer<typeof Bot>;

/** The administrator's YAML, after `${NAME}` and `file:PATH` have been resolved outside secret fields. */
export const ProvisionFile = z.strictObject({
  version: z.literal(1),
  instances: z.array(Instance).min(1),
  /** Agent accounts; not used yet. */
  profiles: z.array(Profile).default([]),
  bots: z.array(Bot).default([]),
});
export type ProvisionFile = z.infer<typeof ProvisionFile>;
