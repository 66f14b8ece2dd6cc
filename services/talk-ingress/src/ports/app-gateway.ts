import type { AppLoginVerdict } from '@nuqloud/contracts';

/** The gateway, which alone has the secret of this app in each Nextcloud. Whatever fails is an AppError. */
export abstract class AppGateway {
  abstract verify(login: { appId: string; version: string; secret: string }): Promise<AppLoginVerdict>;
  abstract isEnabled(instance: string): Promise<boolean>;
  /** At 100 Nextcloud enables the app, and calls it for that, before this returns. */
  abstract reportProgress(instance: string, progress: number): Promise<void>;
  /** @returns what the bot signs with; the same each time while the registration lives */
  abstract registerBot(instance: string, bot: { name: string; description: string }): Promise<string>;
  abstract unregisterBot(instance: string): Promise<void>;
}
