import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import { PrismaGrantTable } from './prisma-grant-table';
import { PrismaInstanceDirectory } from './prisma-instance-directory';

it('refuses, and says that it may pass, while the database is away', async () => {
  const prisma = createPrisma('postgresql://nobody:canary@127.0.0.1:9/none');
  const secrets = { seal: () => '', open: () => '' };
  const refusal = { code: GATEWAY_REFUSALS.STORE_UNAVAILABLE, status: 503, retryable: true };
  const instance = new PrismaInstanceDirectory(prisma, secrets).get('default');
  await expect(instance).rejects.toMatchObject(refusal);
  await expect(instance).rejects.not.toThrow(/canary/);
  await expect(new PrismaGrantTable(prisma).ofBot('default', 'nuq')).rejects.toMatchObject(refusal);
  await prisma.$disconnect();
});
