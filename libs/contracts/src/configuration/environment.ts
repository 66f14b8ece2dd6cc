import { z } from 'zod';
import { PRODUCT_VERSION } from '../product-version';
import { TalkSecret } from '../provision/provision-file.v1';

const port = (fallback: number) =>
  z.coerce
    .number()
    .int('must be a whole number')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .default(fallback);

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Marks what holds a secret, a password in a URL included. */
const SECRET = { secret: true };

/**
 * Every environment variable of the product, once. A service takes the parts it needs.
 */
export const Environment = z.object({
  NEXTCLOUD_URL: httpUrl
    .optional()
    .describe('Base URL of the Nextcloud served, with its sub-folder if it has one.'),
  APP_ID: z
    .string()
    .min(1)
    .default('nuqloud_ai')
    .describe('AppAPI id under which Nextcloud knows this installation.'),
  APP_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('AppAPI secret; user mode needs it. Only nextcloud-gateway reads it.')
    .meta(SECRET),
  APP_VERSION: z
    .string()
    .min(1)
    .default(PRODUCT_VERSION)
    .describe('AppAPI version sent to Nextcloud; a higher one than registered raises the registered one.'),
  APP_HOST: z.string().min(1).default('127.0.0.1').describe('Address talk-ingress listens on.'),
  APP_PORT: port(23_100).describe('Port talk-ingress listens on.'),
  TALK_BOT_SECRET: TalkSecret.optional()
    .describe(
      'Shared secret of the plain Talk bot (`occ talk:bot:install`), 40 to 128 bytes. Without it the bot comes through AppAPI only.',
    )
    .meta(SECRET),
  OPENAI_BASE_URL: httpUrl
    .optional()
    .describe('OpenAI-compatible chat completions endpoint, up to and including /v1.'),
  OPENAI_API_KEY: z
    .string()
    .default('')
    .describe('Key for that endpoint; empty where it needs none.')
    .meta(SECRET),
  OPENAI_MODEL: z.string().min(1).optional().describe('Model used by bots that name none.'),
  OPENAI_FALLBACK_BASE_URL: httpUrl
    .optional()
    .describe('Second endpoint, asked while the first is away; it needs OPENAI_FALLBACK_MODEL.'),
  OPENAI_FALLBACK_API_KEY: z
    .string()
    .optional()
    .describe('Key for the second endpoint; empty where it needs none.')
    .meta(SECRET),
  OPENAI_FALLBACK_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe('Model of the second endpoint, for every bot.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .describe(
      "PostgreSQL. With the owner's login for `nuqloud init` and the all-in-one; a service replaces user and password by its own.",
    )
    .meta(SECRET),
  NATS_URL: z
    .string()
    .min(1)
    .describe('nats-server, e.g. nats://127.0.0.1:4222; several separated by commas.'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' })
    .describe('Redis; what it holds may vanish.')
    .meta(SECRET),
  KEYS_DIR: z.string().min(1).describe('Folder with the keys made by `nuqloud keys init`.'),
  GATEWAY_URL: httpUrl.describe('Where tool services find nextcloud-gateway.'),
  GATEWAY_HOST: z.string().min(1).default('127.0.0.1').describe('Address nextcloud-gateway listens on.'),
  GATEWAY_PORT: port(23_200).describe('Port nextcloud-gateway listens on.'),
  ENCRYPTION_KEY: z
    .string()
    .refine(
      (value) => Buffer.from(value, 'base64').length === 32,
      'must be 32 bytes in base64 (openssl rand -base64 32)',
    )
    .describe('Encrypts secrets at rest: 32 bytes in base64.')
    .meta(SECRET),
  CONFIRMATION_TTL_S: z.coerce
    .number()
    .int('must be a whole number')
    .min(10, 'must be at least 10')
    .max(600, 'must be at most 600')
    .default(600)
    .describe('Seconds in which a prompt can be answered, 600 at most.'),
  PROVISION_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('YAML with instances, bots and loadouts, applied at start.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Where the embedded stores, generated keys and the spool live.'),
  SPOOL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where talk-ingress keeps what Talk told it while NATS does not take it: a volume of its own for each replica; `DATA_DIR/spool` where it is not set.',
    ),
  METRICS_PORT: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be a port')
    .max(65_535, 'must be a port')
    .optional()
    .describe('Port on 127.0.0.1 where a service without another HTTP door answers /healthz and /readyz.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written.'),
});
export type Environment = z.infer<typeof Environment>;

type FallbackVariables = Pick<Environment, 'OPENAI_FALLBACK_BASE_URL' | 'OPENAI_FALLBACK_MODEL'>;

/** A second endpoint needs its model: `refine` the configuration of whoever asks models with this. */
export const WHOLE_FALLBACK: [(env: FallbackVariables) => boolean, { path: string[]; error: string }] = [
  (env) => env.OPENAI_FALLBACK_BASE_URL === undefined || env.OPENAI_FALLBACK_MODEL !== undefined,
  { path: ['OPENAI_FALLBACK_MODEL'], error: 'is not set' },
];
