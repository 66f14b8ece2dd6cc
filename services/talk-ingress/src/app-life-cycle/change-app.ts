import { describeError, isAppError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { AppBots } from './app-bots';

/** What an administrator switches in Nextcloud. */
export class ChangeApp {
  constructor(
    private readonly bots: Pick<AppBots, 'register' | 'unregister'>,
    private readonly logger: Logger,
  ) {}

  /** Never rejects. @returns what Nextcloud is to show as the reason; empty where all is well */
  async change(instance: string, enabled: boolean): Promise<string> {
    try {
      await (enabled ? this.bots.register(instance) : this.bots.unregister(instance));
      this.logger.info({ event: 'app.changed', instance, enabled });
      return '';
    } catch (error) {
      this.logger.error({ event: 'app.not-changed', instance, enabled, ...describeError(error) });
      return isAppError(error) ? `${error.code}: ${error.message}` : 'The app failed; its log says how.';
    }
  }
}
