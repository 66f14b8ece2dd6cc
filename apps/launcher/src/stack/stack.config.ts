import path from 'node:path';
import { Environment } from '@nuqloud/contracts';
import { parseEnvironment } from '@nuqloud/platform';
import { ROOT } from '../product/product-process';

const { shape } = Environment;

/** Needed in every case. What is not named of the stores and keys is made here. */
const StackConfig = Environment.pick({ PROVISION_FILE: true }).extend({
  DATABASE_URL: shape.DATABASE_URL.optional(),
  NATS_URL: shape.NATS_URL.optional(),
  REDIS_URL: shape.REDIS_URL.optional(),
  KEYS_DIR: shape.KEYS_DIR.optional(),
  OPENAI_BASE_URL: shape.OPENAI_BASE_URL.unwrap(),
  OPENAI_MODEL: shape.OPENAI_MODEL.unwrap(),
});

/** Needed by the provision file that is used where the environment names none. */
const OneBotConfig = StackConfig.extend({
  NEXTCLOUD_URL: shape.NEXTCLOUD_URL.unwrap(),
  APP_ID: shape.APP_ID,
  APP_SECRET: shape.APP_SECRET.unwrap(),
  APP_VERSION: shape.APP_VERSION,
  TALK_BOT_SECRET: shape.TALK_BOT_SECRET,
});

const provisionFile = (name: string): string => path.join(ROOT, 'apps/launcher/provision', name);

/** One bot: with a secret of its own it is (also) a plain Talk bot, without one it comes through AppAPI only. */
const oneBot = (secret: string | undefined): string =>
  provisionFile(secret === undefined ? 'stack-through-appapi.yaml' : 'stack.yaml');

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment as the stack understands it: empty variables are unset, what it needs is there and right, and
 * without a provision file of its own it has the one with one bot.
 * @throws ConfigurationError with every variable that is missing or wrong
 */
export const readStackVariables = (env: Variables) => {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  if (set.PROVISION_FILE !== undefined) return { ...set, ...parseEnvironment(StackConfig, set) };
  const config = parseEnvironment(OneBotConfig, set);
  return { ...set, ...config, PROVISION_FILE: oneBot(config.TALK_BOT_SECRET) };
};
