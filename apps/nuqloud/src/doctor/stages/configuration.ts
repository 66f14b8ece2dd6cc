import { Environment, OPERATORS, SERVICES } from '@nuqloud/contracts';
import type { PublicKeyFile } from '@nuqloud/contracts';
import { loadProvision, parseEnvironment, readPublicKeys } from '@nuqloud/platform';
import type { CommandContext } from '../../command';
import { NotExamined, Wrong } from '../examination';
import type { Checked, Examination } from '../examination';

const NEEDED = { DATABASE_URL: true, NATS_URL: true, REDIS_URL: true, KEYS_DIR: true } as const;

/** What the later stages need of the environment. */
export const DoctorConfig = Environment.pick(NEEDED);

export interface Configured {
  readonly databaseUrl: Checked<string>;
  readonly natsUrl: Checked<string>;
  readonly redisUrl: Checked<string>;
  readonly keysDir: Checked<string>;
  readonly publicKeys: Checked<PublicKeyFile>;
}

type Variables = CommandContext['env'];

/** Each variable by itself, so that one that is wrong costs only what needs it. */
export const examineConfiguration = async (exam: Examination, env: Variables): Promise<Configured> => {
  exam.stage('Configuration');
  const databaseUrl = await variable(exam, env, 'DATABASE_URL');
  const natsUrl = await variable(exam, env, 'NATS_URL');
  const redisUrl = await variable(exam, env, 'REDIS_URL');
  const keysDir = await variable(exam, env, 'KEYS_DIR');
  await exam.check('other variables', [], () => {
    parseEnvironment(Environment.omit(NEEDED).partial(), env);
    return { found: 'none that is set is wrong', value: undefined };
  });
  await exam.check('provision file', [], async () => {
    if (!env['PROVISION_FILE'])
      throw new NotExamined(
        'PROVISION_FILE is not set for this command; what was applied before is in force',
      );
    const { instances, bots } = (await loadProvision(env['PROVISION_FILE'], env)).file;
    return {
      found: `has ${instances.length} instance(s) and ${bots.length} bot(s)`,
      value: undefined,
    };
  });
  const publicKeys = await exam.check('public keys', [keysDir], async (folder) => {
    const keys = await readPublicKeys(folder);
    const missing = [...SERVICES, ...OPERATORS].filter((owner) => !(owner in keys.services));
    if (missing.length > 0) {
      throw new Wrong(
        `public.json has no key of ${missing.join(', ')}.`,
        'Run `npm run nuqloud -- keys init`, then start NATS and the services again.',
      );
    }
    return { found: `of ${Object.keys(keys.services).length} users of the bus`, value: keys };
  });
  return { databaseUrl, natsUrl, redisUrl, keysDir, publicKeys };
};

const variable = (
  exam: Examination,
  env: Variables,
  name: keyof typeof DoctorConfig.shape,
): Promise<Checked<string>> =>
  exam.check(name, [], () => {
    const value = env[name];
    if (!value) throw new Wrong('is not set.', `${DoctorConfig.shape[name].description}`);
    const [mistake] = DoctorConfig.shape[name].safeParse(value).error?.issues ?? [];
    if (mistake) throw new Wrong(mistake.message);
    return { found: 'is set', value };
  });
