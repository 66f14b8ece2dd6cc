import { STREAMS } from '@nuqloud/contracts';
import { inspectDatabase, pingRedis } from '@nuqloud/database';
import { Bus, connectToNats, inspectStreams } from '@nuqloud/messaging';
import { readPrivateKeys } from '@nuqloud/platform';
import type { Closing } from '@nuqloud/platform';
import { natsReason } from '../../nats-reason';
import { Wrong } from '../examination';
import type { Checked, Examination } from '../examination';
import type { Configured } from './configuration';

export interface Stores {
  /** The database as its owner sees it. */
  readonly migrated: Checked<string>;
  /** The bus, as the operator who may look and ask. */
  readonly bus: Checked<Bus>;
}

/** Older servers let any user of the streams purge those of others (CVE-2025-30215). */
const SAFE_NATS = [2, 10, 27] as const;
const MONITOR = 'monitor';
const RUN_INIT = 'Run `npm run nuqloud -- init`.';

export const examineStores = async (
  exam: Examination,
  { databaseUrl, natsUrl, redisUrl, keysDir }: Configured,
  closing: Closing,
): Promise<Stores> => {
  exam.stage('Stores');
  const database = await exam.check('PostgreSQL', [databaseUrl], async (url) => {
    const inspected = await inspectDatabase(url);
    return { found: `answers (${inspected.version})`, value: { url, ...inspected } };
  });
  const migrated = await exam.check('migrations', [database], ({ url, missing }) => {
    if (missing.length > 0) throw new Wrong(`the database lacks ${missing.join(', ')}.`, RUN_INIT);
    return { found: 'are all applied', value: url };
  });
  const bus = await exam.check('NATS', [natsUrl, keysDir], async (url, folder) => {
    const connected = await connect(url, folder);
    closing.add(connected, (running) => running.close());
    return { found: `answers (${versionOf(connected)})`, value: connected };
  });
  await exam.check('streams', [bus], async ({ connection }) => {
    const problems = await inspectStreams(connection, STREAMS);
    if (problems.length > 0) throw new Wrong(`${problems.join('; ')}.`, RUN_INIT);
    return {
      found: `${STREAMS.map(({ name }) => name).join(' and ')} are as they must be`,
      value: undefined,
    };
  });
  await exam.check('Redis', [redisUrl], async (url) => {
    await pingRedis(url);
    return { found: 'answers', value: undefined };
  });
  return { migrated, bus };
};

/** Tries once before it connects for good, which would wait for the server for ever. */
const connect = async (url: string, keysDir: string): Promise<Bus> => {
  const { natsSeed } = await readPrivateKeys(keysDir, MONITOR);
  const options = { url, service: MONITOR, natsSeed };
  try {
    await (await connectToNats(options)).close();
  } catch (error) {
    throw new Wrong(`NATS_URL cannot be used: ${natsReason(error, MONITOR)}.`);
  }
  return Bus.connect(options);
};

const versionOf = ({ connection }: Bus): string => {
  const version = connection.info?.version ?? 'unknown version';
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const difference = SAFE_NATS.map((wanted, at) => (parts[at] ?? 0) - wanted).find((less) => less !== 0) ?? 0;
  return difference < 0 ? `${version}; run 2.10.27 or later where others share the server` : version;
};
