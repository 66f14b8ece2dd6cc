import { AppError } from '@nuqloud/platform';
import { Client, DatabaseError } from 'pg';

/** Prisma's own key: whoever runs `prisma migrate deploy` at the same time waits for us, and we for them. */
const SETUP_LOCK = 72_707_369;
const LOCK_TIMEOUT = '60s';
const CONNECTION_TIMEOUT_MS = 10_000;

/** SQLSTATE lock_not_available: the lock timeout passed. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` with the owner's login while no other set-up runs in that database: two replicas that start
 * at once take turns.
 * @throws AppError DATABASE.UNREACHABLE, DATABASE.BUSY
 */
export const withOwnerSession = <T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> =>
  withSession(ownerUrl, async (client) => {
    await takeSetupLock(client); // it ends with its session
    return work(client);
  });

/**
 * Runs `work` in a session of its own.
 * @throws AppError DATABASE.UNREACHABLE
 */
export const withSession = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Commits what `work` did, or nothing of it. */
export const inTransaction = async <T>(client: Client, work: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

const connect = async (url: string): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    application_name: 'nuqloud',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // A connection that breaks also fails the query in hand; unheard, this event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw new AppError('DATABASE.UNREACHABLE', `DATABASE_URL cannot be used: ${whyNot(cause)}.`, {
      retryable: true,
      cause,
    });
  }
};

const takeSetupLock = async (client: Client): Promise<void> => {
  await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [SETUP_LOCK]);
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.code !== LOCK_NOT_AVAILABLE) throw cause;
    throw new AppError(
      'DATABASE.BUSY',
      `Another set-up of this database has been running for ${LOCK_TIMEOUT}; run this again when it is done.`,
      { retryable: true, cause },
    );
  }
};

/** The server's words name the role and the database, never the password. */
const whyNot = (cause: unknown): string => {
  if (cause instanceof DatabaseError) return cause.message;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : 'the server does not answer';
};
