import type { Instance } from '../domain/instance';

/** The Nextclouds that this installation serves. */
export abstract class InstanceDirectory {
  /** @throws GatewayRefusal STORE_UNAVAILABLE */
  abstract ids(): Promise<string[]>;

  /** @throws GatewayRefusal UNKNOWN_INSTANCE, STORE_UNAVAILABLE */
  abstract get(id: string): Promise<Instance>;
}
