import type { ProvisionFile } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';

/**
 * Writes by which names the bots of the provision file are called. Applying it twice changes nothing; a bot that the
 * file does not name stays as it is.
 */
export const applyProvision = async (prisma: PrismaClient, { bots }: ProvisionFile): Promise<void> => {
  for (const { slug, instance, name, triggers } of bots) {
    const row = { instance, name, triggers };
    await prisma.confirmationBot.upsert({ where: { slug }, create: { slug, ...row }, update: row });
  }
};
