import type { PrismaClient } from '../generated/client';

/** Whether the database answers this service now. What fails is told by the queries that need it. */
export const answers = async (prisma: PrismaClient): Promise<boolean> => {
  try {
    await prisma.$queryRaw`SELECT 1`;
    return true;
  } catch {
    return false;
  }
};
