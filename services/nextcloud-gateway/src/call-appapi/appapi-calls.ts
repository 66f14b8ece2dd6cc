import { APP_BOT_ROUTE, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { Logger } from '@nuqloud/platform';
import { z } from 'zod';
import { ocsCommand, ocsQuestion, readOcsAnswer } from '../ask-ocs/ask-ocs';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { InstanceDirectory } from '../ports/instance-directory';
import { AS_THE_APP } from '../ports/nextcloud';
import type { Nextcloud, NextcloudAnswer, NextcloudRequest } from '../ports/nextcloud';

const EX_APP = '/ocs/v1.php/apps/app_api/ex-app';
const TALK_BOT = '/ocs/v2.php/apps/app_api/api/v1/talk_bot';

/** OCS v1 answers HTTP 200 to nearly everything and says in its envelope what that means. */
const succeeded = z.object({ statuscode: z.union([z.literal(100), z.literal(200)]) });

const State = z.object({
  ocs: z.object({
    meta: succeeded,
    data: z.union([z.literal([0, 1, '0', '1']), z.boolean()]).transform((enabled) => Number(enabled) === 1),
  }),
});
const Progress = z.object({ ocs: z.object({ meta: succeeded }) });
const TalkBot = z.object({ ocs: z.object({ data: z.object({ secret: z.string().min(40).max(128) }) }) });

/**
 * AppAPI's calls that an app makes for itself, with its secret and no user. They touch nobody's data, so they are logged
 * and not audited. Each may be repeated.
 */
export class AppApiCalls {
  constructor(
    private readonly instances: InstanceDirectory,
    private readonly nextcloud: Nextcloud,
    private readonly logger: Logger,
  ) {}

  /** @throws GatewayRefusal of Nextcloud and the store, as all below */
  async isEnabled(instance: string): Promise<boolean> {
    return (await readOcsAnswer(await this.send(instance, ocsQuestion(`${EX_APP}/state`)), State)).ocs.data;
  }

  /** At 100 Nextcloud enables the app within its answer, which it then calls itself. */
  async reportProgress(instance: string, progress: number): Promise<void> {
    const command = ocsCommand('PUT', `${EX_APP}/status`, { progress, error: '' }, { patient: true });
    await readOcsAnswer(await this.send(instance, command), Progress);
  }

  /** @returns the secret with which the bot signs; the same each time, as long as the registration lives */
  async registerBot(instance: string, bot: { name: string; description: string }): Promise<string> {
    const command = ocsCommand('POST', TALK_BOT, { ...bot, route: APP_BOT_ROUTE });
    const answer = await this.send(instance, command);
    if (answer.status === 400) {
      answer.body.destroy();
      throw noTalk(instance);
    }
    return (await readOcsAnswer(answer, TalkBot)).ocs.data.secret;
  }

  /** @returns false when there was none */
  async unregisterBot(instance: string): Promise<boolean> {
    const command = ocsCommand('DELETE', TALK_BOT, { route: APP_BOT_ROUTE });
    const answer = await this.send(instance, command);
    if (answer.status === 404) {
      answer.body.destroy();
      return false;
    }
    await readOcsAnswer(answer, z.unknown());
    return true;
  }

  private async send(id: string, request: NextcloudRequest): Promise<NextcloudAnswer> {
    const answer = await this.nextcloud.send(await this.instances.get(id), AS_THE_APP, request);
    const { method, path } = request;
    this.logger.info({
      event: 'gateway.app-call',
      ...{ instance: id, method, path, status: answer.status },
    });
    return answer;
  }
}

const noTalk = (instance: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.NO_TALK,
    `The Nextcloud of the instance ${instance} registers no Talk bot. Install and enable Talk there, then enable this app again.`,
    { nextcloudStatus: 400 },
  );
