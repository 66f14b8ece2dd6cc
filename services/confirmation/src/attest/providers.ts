import type { CoreToolService } from '@nuqloud/contracts';
import { CORE_PROVIDER_IDS, CORE_PROVIDERS, GRANT_AUDIENCE_AGENT } from '@nuqloud/contracts';

const isCoreService = (service: string | undefined): service is CoreToolService =>
  service !== undefined && Object.hasOwn(CORE_PROVIDERS, service);

/** The provider for which a service may plan, or undefined for a service that may not. */
export const providerOf = (service: string | undefined): string | undefined =>
  isCoreService(service) ? CORE_PROVIDERS[service] : undefined;

/** Who may claim an approval of that provider's action: the provider, or for a third party the agent. */
export const grantAudience = (provider: string): string =>
  CORE_PROVIDER_IDS.has(provider) ? provider : GRANT_AUDIENCE_AGENT;

/** The audience of the grants that a service may claim. */
export const audienceOf = (service: string | undefined): string | undefined =>
  service === 'agent' ? GRANT_AUDIENCE_AGENT : providerOf(service);
