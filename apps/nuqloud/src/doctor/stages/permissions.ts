import { BUS_ACCESS, DATABASE_SERVICES, MONITOR_ACCESS, SERVICES } from '@nuqloud/contracts';
import type { DatabaseService, PrivateKeyFile, ServiceName } from '@nuqloud/contracts';
import { inspectRole, serviceDatabaseUrl, serviceRole } from '@nuqloud/database';
import { probeAccess } from '@nuqloud/messaging';
import { isAppError, readPrivateKeys } from '@nuqloud/platform';
import { natsReason } from '../../nats-reason';
import { NotExamined, Wrong } from '../examination';
import type { Examination, Found } from '../examination';
import type { Configured } from './configuration';
import type { Stores } from './stores';

const EVERYBODY = [...Object.values(BUS_ACCESS), MONITOR_ACCESS];

/** What each service can do in the stores, tried with its own keys where this command may read them. */
export const examinePermissions = async (
  exam: Examination,
  { keysDir, natsUrl }: Configured,
  { migrated, bus }: Stores,
): Promise<void> => {
  exam.stage('Permissions');
  for (const service of DATABASE_SERVICES) {
    await exam.check(`database role of ${service}`, [keysDir, migrated], async (folder, url) =>
      examineRole(service, url, await keysOf(folder, service)),
    );
  }
  for (const service of SERVICES) {
    await exam.check(`bus user ${service}`, [keysDir, natsUrl, bus], async (folder, url) =>
      examineBusUser(service, url, await keysOf(folder, service)),
    );
  }
};

/** Not every place from where the doctor is called has everybody's keys, and it should not. */
const keysOf = async (folder: string, service: ServiceName): Promise<PrivateKeyFile> => {
  try {
    return await readPrivateKeys(folder, service);
  } catch (error) {
    if (isAppError(error, 'KEYS.MISSING'))
      throw new NotExamined(`${service}.json cannot be read in KEYS_DIR from here`);
    throw error;
  }
};

const examineRole = async (
  service: DatabaseService,
  url: string,
  { databasePassword }: PrivateKeyFile,
): Promise<Found<undefined>> => {
  const { lacks, hasTooMuch } = await inspectRole(
    serviceDatabaseUrl(url, service, databasePassword),
    service,
  );
  const problems = [
    ...(lacks.length > 0 ? [`${serviceRole(service)} lacks ${lacks.join(', ')}`] : []),
    ...(hasTooMuch.length > 0 ? [`${serviceRole(service)} has too much: ${hasTooMuch.join(', ')}`] : []),
  ];
  if (problems.length > 0) throw new Wrong(`${problems.join('; ')}.`, 'Run `npm run nuqloud -- init`.');
  return { found: 'has its own tables, and nothing else', value: undefined };
};

const examineBusUser = async (
  service: ServiceName,
  url: string,
  { natsSeed }: PrivateKeyFile,
): Promise<Found<undefined>> => {
  const probed = await probeAccess({ url, service, natsSeed }, BUS_ACCESS[service], EVERYBODY).catch(
    (error: unknown) => {
      throw new Wrong(`${natsReason(error, service)}.`);
    },
  );
  const { refused, allowedTooMuch } = probed;
  const problems = [
    ...(refused.length > 0 ? [`the server refuses it to ${refused.join(', ')}`] : []),
    ...(allowedTooMuch.length > 0 ? [`the server allows it to ${allowedTooMuch.join(', ')}`] : []),
  ];
  if (problems.length > 0) {
    throw new Wrong(
      `${problems.join('; ')}.`,
      'Run `npm run nuqloud -- keys init` and start NATS again with the nats.conf that it wrote.',
    );
  }
  return { found: 'may do what it must, and nothing that only others may', value: undefined };
};
