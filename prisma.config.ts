import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Only commands that reach a database need it; `generate` does not.
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
