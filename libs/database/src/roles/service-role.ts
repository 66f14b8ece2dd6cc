import type { DatabaseService } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

/** The PostgreSQL role of a service: `talk-ingress` logs in as `nuqloud_talk_ingress`. */
export const serviceRole = (service: DatabaseService): string => `nuqloud_${service.replaceAll('-', '_')}`;

/**
 * `databaseUrl` with the login of a service in place of the one it names.
 * @throws AppError DATABASE.URL for a URL without a host, which can hold no login
 */
export const serviceDatabaseUrl = (
  databaseUrl: string,
  service: DatabaseService,
  password: string,
): string => {
  const url = new URL(databaseUrl);
  if (url.hostname === '') {
    throw new AppError(
      'DATABASE.URL',
      'DATABASE_URL must name a host: postgresql://user:password@host/database.',
    );
  }
  url.username = serviceRole(service);
  // The setter leaves % alone, which would be read as an escape later.
  url.password = encodeURIComponent(password);
  // As parameters they would win over what stands before the @.
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  return url.href;
};
