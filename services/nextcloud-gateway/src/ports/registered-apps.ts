import type { Instance } from '../domain/instance';

/** The Nextclouds by what this installation is called there. */
export abstract class RegisteredApps {
  /** Several instances may use the same app id, each with its own secret. @throws GatewayRefusal STORE_UNAVAILABLE */
  abstract withAppId(appId: string): Promise<Instance[]>;
}
