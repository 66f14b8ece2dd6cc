import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPrisma, migrate } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { loadProvision, RowSecrets } from '@nuqloud/platform';
import { createTestDatabase } from '@nuqloud/testing';
import type { TestDatabase } from '@nuqloud/testing';
import { PrismaInstanceDirectory } from '../src/adapters/prisma-instance-directory';
import { applyProvision } from '../src/apply-provision/apply-provision';

const newSecrets = () => new RowSecrets(randomBytes(32).toString('base64'), 'gateway_instances');
const secrets = newSecrets();

let database: TestDatabase;
let prisma: PrismaClient;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  prisma = createPrisma(database.url);
  folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-provision-'));
});
afterEach(async () => {
  await prisma.gatewayGrant.deleteMany();
  await prisma.gatewayInstance.deleteMany();
});
afterAll(async () => {
  await prisma.$disconnect();
  await database.drop();
  await rm(folder, { recursive: true });
});

const apply = async (instances: string[], bots: string[], appSecret = 'app-secret', box = secrets) => {
  const file = path.join(folder, 'provision.yaml');
  const lines = [
    'version: 1',
    'instances:',
    ...instances,
    ...(bots.length > 0 ? ['bots:', ...bots] : []),
    '',
  ];
  await writeFile(file, lines.join('\n'));
  await applyProvision(prisma, await loadProvision(file, { APP_SECRET: appSecret }), box);
};

const instance = (id: string, url = 'https://cloud.example.org/nextcloud/index.php/') =>
  `  - { id: ${id}, url: "${url}", appApi: { id: nuqloud_ai, secret: "\${APP_SECRET}", version: 0.1.0 } }`;
const bot = (slug: string, tools: string) =>
  `  - { slug: ${slug}, instance: default, name: Bot, talkSecret: "\${UNKNOWN_HERE}", tools: ${tools} }`;

const rows = async () => ({
  instances: await prisma.gatewayInstance.findMany({ orderBy: { id: 'asc' } }),
  grants: await prisma.gatewayGrant.findMany({ orderBy: [{ bot: 'asc' }, { tool: 'asc' }] }),
});
const grantedTools = async () => (await rows()).grants.map((row) => `${row.bot} ${row.tool}`);

describe('applyProvision', () => {
  it('stores where a Nextcloud is, and the sealed secret to act there', async () => {
    await apply([instance('default')], []);
    const { instances } = await rows();
    expect(instances).toMatchObject([
      { id: 'default', url: 'https://cloud.example.org/nextcloud', appId: 'nuqloud_ai', appVersion: '0.1.0' },
    ]);
    expect(JSON.stringify(instances)).not.toContain('app-secret');
    await expect(new PrismaInstanceDirectory(prisma, secrets).get('default')).resolves.toEqual({
      id: 'default',
      baseUrl: { origin: 'https://cloud.example.org', path: '/nextcloud' },
      appApi: { id: 'nuqloud_ai', version: '0.1.0', secret: 'app-secret' },
    });
  });

  it('grants each bot its tools, and patterns as patterns', async () => {
    await apply(
      [instance('default')],
      [bot('nuq', '[files_list, files_re*, { name: files_info, confirm: always }]')],
    );
    expect((await rows()).grants).toEqual(
      ['files_info', 'files_list', 'files_re*'].map((tool) => ({
        instance: 'default',
        bot: 'nuq',
        tool,
        mode: 'user',
        profile: null,
      })),
    );
  });

  it('changes nothing when it is applied again', async () => {
    const file = [[instance('default'), instance('second')], [bot('nuq', '[files_list, files_*]')]] as const;
    await apply([...file[0]], [...file[1]]);
    const before = await rows();
    await apply([...file[0]], [...file[1]]);
    expect(await rows()).toEqual(before);
  });

  it('takes from a bot what the file no longer gives it, and leaves others alone', async () => {
    await apply(
      [instance('default')],
      [bot('nuq', '[files_list, files_read]'), bot('other', '[files_list]')],
    );
    await apply([instance('default')], [bot('nuq', '[files_read, files_info]')]);
    expect(await grantedTools()).toEqual(['nuq files_info', 'nuq files_read', 'other files_list']);
    await apply([instance('default')], [bot('nuq', '[]')]);
    expect(await grantedTools()).toEqual(['other files_list']);
  });

  it('follows a changed URL, a changed secret and a changed key', async () => {
    await apply([instance('default')], []);
    await apply([instance('default', 'http://10.0.0.1:8080')], [], 'new-secret');
    const directory = new PrismaInstanceDirectory(prisma, secrets);
    await expect(directory.get('default')).resolves.toMatchObject({
      baseUrl: { origin: 'http://10.0.0.1:8080', path: '' },
      appApi: { secret: 'new-secret' },
    });
    const otherBox = newSecrets();
    await apply([instance('default')], [], 'new-secret', otherBox);
    await expect(new PrismaInstanceDirectory(prisma, otherBox).get('default')).resolves.toMatchObject({
      appApi: { secret: 'new-secret' },
    });
    await expect(directory.get('default')).rejects.toMatchObject({ code: 'SECRETS.UNREADABLE' });
  });

  it('lets nobody act where the file has no AppAPI values', async () => {
    await apply([instance('default')], []);
    await apply(['  - { id: default, url: "https://cloud.example.org" }'], []);
    await expect(new PrismaInstanceDirectory(prisma, secrets).get('default')).resolves.toMatchObject({
      appApi: null,
    });
  });

  it('leaves everything as it was when a secret cannot be resolved', async () => {
    await apply([instance('default')], [bot('nuq', '[files_list]')]);
    const before = await rows();
    const broken = instance('second').replace('APP_SECRET', 'NOT_SET');
    await expect(apply([instance('default', 'https://other.example'), broken], [])).rejects.toThrow(
      /NOT_SET/,
    );
    expect(await rows()).toEqual(before);
  });

  it('can be applied by several at once', async () => {
    const file = [[instance('default')], [bot('nuq', '[files_list, files_read, files_*]')]] as const;
    await Promise.all([1, 2, 3, 4].map(() => apply([...file[0]], [...file[1]])));
    expect(await grantedTools()).toEqual(['nuq files_*', 'nuq files_list', 'nuq files_read']);
  });
});
