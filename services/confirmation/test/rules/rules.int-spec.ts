import { DATABASE_SERVICES } from '@nuqloud/contracts';
import type { DatabaseService } from '@nuqloud/contracts';
import { createPrisma, ensureRoles, migrate, serviceDatabaseUrl } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { createTestDatabase, startTestBed } from '@nuqloud/testing';
import type { TestBed, TestDatabase } from '@nuqloud/testing';
import fc from 'fast-check';
import { Play } from './play';
import { plays } from './plays';
import { signersOf, Stage } from './stage';
import type { Signers } from './stage';

const PLAYS = 2_000;
/** Played at the same time, each on a database of its own: a sweep sees all rows of one. */
const LANES = 4;

interface Lane {
  /** As the service. */
  readonly prisma: PrismaClient;
  readonly owner: PrismaClient;
  readonly database: TestDatabase;
}

let bed: TestBed;
let signers: Signers;
let lanes: Lane[];

const openLane = async (passwords: Record<DatabaseService, string>): Promise<Lane> => {
  const database = await createTestDatabase();
  await migrate(database.url);
  await ensureRoles(database.url, passwords);
  const prisma = createPrisma(serviceDatabaseUrl(database.url, 'confirmation', passwords.confirmation));
  const bots = ['nuq', 'aux', 'zed'].map((slug) => ({
    slug,
    instance: slug === 'zed' ? 'other' : 'default',
    name: slug.toUpperCase(),
    triggers: [slug],
  }));
  await prisma.confirmationBot.createMany({ data: bots });
  return { prisma, owner: createPrisma(database.url), database };
};

beforeAll(async () => {
  bed = await startTestBed(['acme']);
  signers = await signersOf(bed);
  const passwords = DATABASE_SERVICES.map(
    async (service) => [service, (await bed.keysOf(service)).databasePassword] as const,
  );
  const known = Object.fromEntries(await Promise.all(passwords)) as Record<DatabaseService, string>;
  lanes = [];
  // One after the other: they give rights to the same roles.
  for (let n = 0; n < LANES; n += 1) lanes.push(await openLane(known));
});

afterAll(async () => {
  for (const { prisma, owner, database } of lanes) {
    await Promise.all([prisma.$disconnect(), owner.$disconnect()]);
    await database.drop();
  }
  await bed.close();
});

it(`in ${PLAYS} plays of people, bots, clocks and failures the service does what the rules say, and nothing else`, async () => {
  let seed = 0;
  await fc.assert(
    fc.asyncProperty(fc.tuple(...lanes.map(() => plays)), async (batch) => {
      const played = batch.map(async (steps, n) => {
        const { prisma, owner } = lanes[n] as Lane;
        await owner.$executeRaw`DELETE FROM confirmations`;
        await new Play(new Stage(bed, prisma, signers, (seed += 1)), owner).run(steps);
      });
      // All of them, so that none goes on while the next batch begins.
      const failures = (await Promise.allSettled(played)).filter((result) => result.status === 'rejected');
      for (const failure of failures) throw failure.reason;
    }),
    { numRuns: PLAYS / LANES },
  );
}, 600_000);
