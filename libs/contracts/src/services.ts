import { z } from 'zod';

/** Every process that logs into the bus or the database has one of these names, and keys of its own. */
export const SERVICES = ['talk-ingress', 'agent', 'confirmation', 'nextcloud-gateway', 'tool-files'] as const;
export const ServiceName = z.enum(SERVICES);
export type ServiceName = z.infer<typeof ServiceName>;

/** Services that own tables, and so have a database role. */
export const DATABASE_SERVICES = [
  'talk-ingress',
  'agent',
  'confirmation',
  'nextcloud-gateway',
] as const satisfies readonly ServiceName[];
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

/** Our own tool services: the id under which each answers on the bus and the family the gateway knows it by. */
export const CORE_PROVIDERS = { 'tool-files': 'files' } as const satisfies Partial<
  Record<ServiceName, string>
>;
export type CoreToolService = keyof typeof CORE_PROVIDERS;

/** Ids of our own providers; every other provider is a third party's. */
export const CORE_PROVIDER_IDS: ReadonlySet<string> = new Set(Object.values(CORE_PROVIDERS));

/** Bus users that are no service: the one that may create streams, and the one that watches. */
export const OPERATORS = ['provisioner', 'monitor'] as const;
export type OperatorName = (typeof OPERATORS)[number];
