import type { Grant } from '../domain/grants';

/** Which bot may use which tool, as whom. */
export abstract class GrantTable {
  /** @throws GatewayRefusal STORE_UNAVAILABLE */
  abstract ofBot(instance: string, bot: string): Promise<Grant[]>;
}
