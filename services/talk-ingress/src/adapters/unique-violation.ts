import { z } from 'zod';

/** SQLSTATE unique_violation, where Prisma puts it for raw queries (P2010). */
const UniqueViolation = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.literal('23505') }) }) }),
});

export const isUniqueViolation = (error: unknown): boolean => UniqueViolation.safeParse(error).success;
