import { z } from 'zod';
import { checkReferences } from './check-fixture';
import { BOT_FEATURES, ROOM_TYPES, SHARE_TYPES } from './world';

const bytes = (min: number, max: number, what: string) =>
  z.string().refine((text) => {
    const length = Buffer.byteLength(text);
    return length >= min && length <= max;
  }, `${what} has to be ${min} to ${max} bytes long, as Talk demands it`);

const keysOf = <T extends string>(record: Record<T, unknown>) => Object.keys(record) as [T, ...T[]];

const version = z.string().regex(/^\d+\.\d+\.\d+$/, 'write a version as three numbers, e.g. "32.0.1"');
const userId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^/]+$/, 'a user id has no slash');

const filePath = z
  .string()
  .startsWith('/', 'a path starts with "/"')
  .refine((path) => {
    const inner = path.slice(1).replace(/\/$/, '');
    return inner.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  }, 'a path has no empty, "." or ".." segment');

const fileContent = z.union([
  z.string(),
  z.null(),
  z.strictObject({ base64: z.base64(), mimetype: z.string().min(1).optional() }),
]);

/** Contents by path; a folder's path ends in `/`. */
const fileEntries = z.record(filePath, fileContent);

const bot = z.strictObject({
  name: bytes(1, 64, 'the name of a bot'),
  secret: bytes(40, 128, 'the secret of a bot'),
  url: z
    .string()
    .max(4000)
    .regex(
      /^(https?|nextcloudapp|responseonly):\/\//,
      'the URL of a bot starts with http://, https://, nextcloudapp:// or responseonly://',
    ),
  features: z.array(z.enum(keysOf(BOT_FEATURES))).default(['webhook', 'response']),
  state: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(1),
});

const room = z.strictObject({
  token: z.string().regex(/^[a-z0-9]{4,30}$/, 'a room token is 4 to 30 of a-z and 0-9'),
  name: z.string(),
  type: z.enum(keysOf(ROOM_TYPES)).default('group'),
  members: z
    .array(z.string().regex(/^[a-z_]+\/./, 'write a member as type/id, e.g. "users/alice"'))
    .default([]),
  bots: z.array(z.string()).default([]),
});

const user = z.strictObject({
  id: userId,
  displayName: z.string().optional(),
  email: z.string().nullable().default(null),
  password: z.string().min(1).nullable().default(null),
  language: z.string().default('en'),
  timezone: z.string().default(''),
  groups: z.array(z.string().min(1)).default([]),
});

const share = z.strictObject({
  owner: userId,
  path: filePath,
  type: z.enum(keysOf(SHARE_TYPES)),
  with: z.string().optional(),
  permissions: z.int().min(0).max(31).default(1),
});

const groupFolder = z.strictObject({
  mount: filePath,
  groups: z.array(z.string().min(1)).default([]),
  files: fileEntries.default({}),
});

const calendar = z.strictObject({
  owner: userId,
  id: z.string().min(1),
  name: z.string(),
  events: z.array(z.string()).default([]),
});

/** Apps whose fixtures have no fixed shape yet. */
const freeForm = z.array(z.record(z.string(), z.unknown())).default([]);

const shape = z.strictObject({
  nextcloud: z
    .strictObject({
      version: version.default('32.0.1'),
      apps: z.array(z.string().min(1)).default(['spreed', 'app_api', 'files_trashbin', 'files_versions']),
    })
    .prefault({}),
  users: z.array(user).default([]),
  appApi: z.strictObject({ id: z.string().min(1), secret: z.string().min(1) }).optional(),
  bots: z.array(bot).default([]),
  rooms: z.array(room).default([]),
  files: z.record(userId, fileEntries).default({}),
  shares: z.array(share).default([]),
  calendars: z.array(calendar).default([]),
  quotas: z.record(userId, z.int().min(0)).default({}),
  groupFolders: z.array(groupFolder).default([]),
  locks: z.array(z.strictObject({ owner: userId, path: filePath, editor: z.string().min(1) })).default([]),
  boards: freeForm,
  collectives: freeForm,
  bridges: freeForm,
});

/** A known world as JSON; every part is optional, an unknown part is refused. */
export const Fixture = shape.superRefine(checkReferences);

/** What one writes. */
export type FixtureInput = z.input<typeof shape>;
/** What stands after validation, with every default filled in. */
export type Fixture = z.output<typeof shape>;

/** A fixture that cannot be used; the message names the place and what is wrong there, one line each. */
export class InvalidFixture extends Error {
  override readonly name = 'InvalidFixture';
}

/** Validates a fixture. @throws {InvalidFixture} */
export function parseFixture(value: unknown): Fixture {
  const result = Fixture.safeParse(value);
  if (result.success) return result.data;
  throw new InvalidFixture(
    result.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`).join('\n'),
  );
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the fixture';
  return path
    .map((part) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^\w+$/.test(String(part))
          ? `.${String(part)}`
          : `[${JSON.stringify(String(part))}]`,
    )
    .join('')
    .replace(/^\./, '');
}
