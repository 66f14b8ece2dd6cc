export * from './client/create-prisma';
export * from './generated/client';
export * from './migrations/migrate';
export { findMigrations } from './migrations/migration-files';
export * from './redis/connect-redis';
export * from './roles/ensure-roles';
export * from './roles/service-role';
export * from './table-owners';
export type { RedisClientType } from '@redis/client';
