import { DATABASE_SERVICES } from '@nuqloud/contracts';
import type { DatabaseService } from '@nuqloud/contracts';
import {
  createPrisma,
  ensureRoles,
  migrate,
  serviceDatabaseUrl,
  serviceRole,
  TABLE_OWNERS,
} from '@nuqloud/database';
import type { OwnedTable, ServicePasswords } from '@nuqloud/database';
import { startPostgres } from '@nuqloud/testing';
import type { RunningPostgres } from '@nuqloud/testing';
import { Client } from 'pg';

/** Every character that means something in SQL or in a URL. */
const AWKWARD = `'"\\ %:/?#@&=+$;--`;

const passwordsOf = (salt: string): ServicePasswords => ({
  'talk-ingress': `ingress ${salt}`,
  agent: `agent ${salt}`,
  confirmation: `confirmation ${salt}`,
  'nextcloud-gateway': `gateway ${salt}`,
});

const PASSWORDS = passwordsOf(AWKWARD);
const TABLES = Object.keys(TABLE_OWNERS) as OwnedTable[];
const EACH_ROLE_AND_TABLE = DATABASE_SERVICES.flatMap((service) =>
  TABLES.map((table) => ({ service, table })),
);
const OWN = EACH_ROLE_AND_TABLE.filter(({ service, table }) => TABLE_OWNERS[table] === service);
const FOREIGN = EACH_ROLE_AND_TABLE.filter(({ service, table }) => TABLE_OWNERS[table] !== service);

const PERMISSION_DENIED = '42501';
const WRONG_PASSWORD = '28P01';

const using = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const run = (url: string, sql: string) =>
  using(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

jest.setTimeout(60_000);

/** Roles belong to the whole server, so these tests have one of their own. */
describe('ensureRoles', () => {
  let postgres: RunningPostgres;
  let ownerUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    ownerUrl = await postgres.createDatabase('installation');
    await migrate(ownerUrl);
    await ensureRoles(ownerUrl, PASSWORDS);
  });
  afterAll(() => postgres?.stop());

  const as = (service: DatabaseService, sql: string, url = ownerUrl, passwords = PASSWORDS) =>
    run(serviceDatabaseUrl(url, service, passwords[service]), sql);

  describe('for each role and table', () => {
    const sessions = new Map<DatabaseService, Client>();
    beforeAll(async () => {
      for (const service of DATABASE_SERVICES) {
        const connectionString = serviceDatabaseUrl(ownerUrl, service, PASSWORDS[service]);
        sessions.set(service, new Client({ connectionString }));
        await sessions.get(service)?.connect();
      }
    });
    afterAll(() => Promise.all([...sessions.values()].map((client) => client.end())));

    it.each(OWN)('lets $service read and write $table', async ({ service, table }) => {
      const client = sessions.get(service);
      await client?.query(`SELECT 1 FROM ${table}`);
      await client?.query(`INSERT INTO ${table} SELECT * FROM ${table}`);
      await client?.query(`DELETE FROM ${table}`);
    });

    it.each(FOREIGN)('keeps $service away from $table', async ({ service, table }) => {
      for (const sql of [
        `SELECT 1 FROM ${table}`,
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} DEFAULT VALUES`,
      ]) {
        await expect(sessions.get(service)?.query(sql)).rejects.toMatchObject({ code: PERMISSION_DENIED });
      }
    });
  });

  it('grants nothing but reading and writing rows, as the catalogue tells it', async () => {
    const granted = await run(
      ownerUrl,
      `SELECT grantee, table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS privileges
       FROM information_schema.role_table_grants
       WHERE table_schema = 'public' AND (grantee = 'PUBLIC' OR grantee LIKE 'nuqloud\\_%')
       GROUP BY grantee, table_name`,
    );
    const expected = OWN.map(({ service, table }) => ({
      grantee: serviceRole(service),
      table_name: table,
      privileges: 'DELETE INSERT SELECT UPDATE',
    }));
    expect(granted).toHaveLength(expected.length);
    expect(granted).toEqual(expect.arrayContaining(expected));
  });

  it('lets a service use the sequences of its tables through its client', async () => {
    const url = serviceDatabaseUrl(ownerUrl, 'talk-ingress', PASSWORDS['talk-ingress']);
    const prisma = createPrisma(url, { poolSize: 1 });
    const post = { instance: 'default', room: 'x7k2m9pq', seq: 1n, bot: 'nuq', key: 'k', part: 0 };
    try {
      await prisma.ingressPost.create({ data: { ...post, kind: 'message', referenceId: 'r' } });
      expect(await prisma.ingressPost.count()).toBe(1);
    } finally {
      await prisma.ingressPost.deleteMany();
      await prisma.$disconnect();
    }
  });

  it.each([
    ['make a table', 'CREATE TABLE mine (id INT)'],
    ['make a temporary table', 'CREATE TEMPORARY TABLE mine (id INT)'],
    ['make a schema', 'CREATE SCHEMA mine'],
    ['empty a table of its own at once', 'TRUNCATE agent_inbox'],
    ['change a table of its own', 'ALTER TABLE agent_inbox ADD COLUMN mine INT'],
    ['read the history of migrations', 'SELECT 1 FROM _prisma_migrations'],
    ["use another service's sequence", `SELECT nextval('ingress_posts_id_seq')`],
    ["take on another service's role", 'SET ROLE nuqloud_talk_ingress'],
    ["take on the owner's role", 'SET ROLE nuqloud'],
    ['read stored passwords', 'SELECT rolpassword FROM pg_authid'],
    ['make a role', 'CREATE ROLE mine'],
  ])('does not let a service %s', async (_what, sql) => {
    await expect(as('agent', sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('shuts everybody else out of the database', async () => {
    await run(ownerUrl, `CREATE ROLE stranger LOGIN PASSWORD 'stranger'`);
    const url = new URL(ownerUrl);
    url.username = url.password = 'stranger';
    await expect(run(url.href, 'SELECT 1')).rejects.toMatchObject({ code: PERMISSION_DENIED });
  });

  it('stores SCRAM verifiers, whatever the server would do by itself', async () => {
    await run(ownerUrl, `ALTER DATABASE installation SET password_encryption = 'md5'`);
    await ensureRoles(ownerUrl, PASSWORDS);
    await run(ownerUrl, 'ALTER DATABASE installation RESET password_encryption');
    const stored = await run(ownerUrl, `SELECT rolpassword FROM pg_authid WHERE rolname LIKE 'nuqloud\\_%'`);
    expect(stored).toHaveLength(DATABASE_SERVICES.length);
    for (const { rolpassword } of stored) expect(rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  it('changes nothing when it runs again', async () => {
    const rights = `SELECT relname, relacl::text, nspacl::text, datacl::text FROM pg_class
      JOIN pg_namespace ON pg_namespace.oid = relnamespace, pg_database
      WHERE nspname = 'public' AND datname = current_database() ORDER BY relname`;
    const before = await run(ownerUrl, rights);
    await ensureRoles(ownerUrl, PASSWORDS);
    expect(await run(ownerUrl, rights)).toEqual(before);
  });

  it('lets several set-ups run at once, of the same database and of others on the server', async () => {
    const others = await Promise.all(['other_a', 'other_b'].map((name) => postgres.createDatabase(name)));
    await Promise.all(others.map((url) => migrate(url)));
    await Promise.all([ownerUrl, ownerUrl, ...others].map((url) => ensureRoles(url, PASSWORDS)));
    await as('agent', 'SELECT 1 FROM agent_inbox', others[0]);
    await as('agent', 'SELECT 1 FROM agent_inbox');
  });

  it('takes back what a role or PUBLIC had been given by hand', async () => {
    await run(
      ownerUrl,
      `ALTER ROLE nuqloud_agent SUPERUSER CREATEDB CREATEROLE BYPASSRLS REPLICATION INHERIT;
       GRANT pg_read_all_data, nuqloud_nextcloud_gateway TO nuqloud_agent;
       GRANT SELECT (sealed_secret) ON ingress_bots TO nuqloud_agent;
       GRANT SELECT ON ingress_posts TO PUBLIC; GRANT ALL ON SEQUENCE ingress_posts_id_seq TO PUBLIC;
       GRANT CREATE ON SCHEMA public TO PUBLIC;`,
    );
    await ensureRoles(ownerUrl, PASSWORDS);
    for (const sql of [
      'SELECT sealed_secret FROM ingress_bots',
      'SELECT 1 FROM ingress_posts',
      'SELECT 1 FROM gateway_grants',
      `SELECT nextval('ingress_posts_id_seq')`,
      'CREATE TABLE mine (id INT)',
      'CREATE ROLE mine',
      'CREATE DATABASE mine',
    ]) {
      await expect(as('agent', sql)).rejects.toMatchObject({ code: PERMISSION_DENIED });
    }
  });

  it('sets the passwords each time: the old ones end', async () => {
    const next = passwordsOf('of tomorrow');
    await ensureRoles(ownerUrl, next);
    await as('agent', 'SELECT 1', ownerUrl, next);
    await expect(as('agent', 'SELECT 1')).rejects.toMatchObject({ code: WRONG_PASSWORD });
    await ensureRoles(ownerUrl, PASSWORDS);
  });

  it('says that the tables are missing when the database was not migrated', async () => {
    const empty = await postgres.createDatabase('empty');
    await expect(ensureRoles(empty, PASSWORDS)).rejects.toMatchObject({ code: 'DATABASE.NOT_MIGRATED' });
  });
});
