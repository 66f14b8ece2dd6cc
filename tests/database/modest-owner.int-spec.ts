import { ensureRoles, migrate, serviceDatabaseUrl } from '@nuqloud/database';
import { startPostgres } from '@nuqloud/testing';
import type { RunningPostgres } from '@nuqloud/testing';
import { Client } from 'pg';

const PASSWORDS = {
  'talk-ingress': 'ingress',
  agent: 'agent',
  confirmation: 'confirmation',
  'nextcloud-gateway': 'gateway',
};

jest.setTimeout(60_000);

/** What a managed PostgreSQL gives: an owner of the database who may make roles, but is no superuser. */
describe('ensureRoles with an owner who is no superuser', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    await run(postgres.url, `CREATE ROLE proprietor LOGIN CREATEROLE PASSWORD 'proprietor'`);
    await run(postgres.url, `CREATE ROLE tenant LOGIN PASSWORD 'tenant'`);
    await run(postgres.url, `CREATE DATABASE "the ""owner's"" database" OWNER proprietor`);
    await migrate(loginAs('proprietor'));
  });
  afterAll(() => postgres?.stop());

  const run = async (url: string, sql: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  const loginAs = (user: string): string => {
    const url = new URL(postgres.url);
    url.username = url.password = user;
    url.pathname = `/${encodeURIComponent(`the "owner's" database`)}`;
    return url.href;
  };

  it('sets up the roles, also a second time', async () => {
    const url = loginAs('proprietor');
    await ensureRoles(url, PASSWORDS);
    await ensureRoles(url, PASSWORDS);
    const agent = serviceDatabaseUrl(url, 'agent', PASSWORDS.agent);
    await run(agent, 'SELECT 1 FROM agent_inbox');
    await expect(run(agent, 'SELECT 1 FROM ingress_bots')).rejects.toThrow('permission denied');
  });

  it('says what the login lacks when it does not own the database', async () => {
    await run(loginAs('proprietor'), `GRANT CONNECT ON DATABASE "the ""owner's"" database" TO tenant`);
    await expect(ensureRoles(loginAs('tenant'), PASSWORDS)).rejects.toMatchObject({
      code: 'DATABASE.OWNER',
      message: expect.stringContaining('does not own the database'),
    });
  });

  it('says what the login lacks when it may not change roles', async () => {
    await run(postgres.url, 'ALTER ROLE proprietor NOCREATEROLE');
    await expect(ensureRoles(loginAs('proprietor'), PASSWORDS)).rejects.toMatchObject({
      code: 'DATABASE.OWNER',
      message: expect.stringContaining('CREATEROLE'),
    });
  });
});
