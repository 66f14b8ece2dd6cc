import { z } from 'zod';

/** What the driver adapter hands on of PostgreSQL's own error. */
const DriverError = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.string() }) }) }),
});

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const DATA = /^2[23]/;

/** Whether PostgreSQL refused what it was given. The same again will be refused again, unlike with a server that is away. */
export const refusesData = (error: unknown): boolean => {
  const driver = DriverError.safeParse(error);
  return driver.success && DATA.test(driver.data.meta.driverAdapterError.cause.originalCode);
};
