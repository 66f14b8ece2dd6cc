import type { ExaminedInstance, Problem } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { z } from 'zod';
import { ocsQuestion, readOcsAnswer } from '../ask-ocs/ask-ocs';
import type { AppApiCalls } from '../call-appapi/appapi-calls';
import type { Instance } from '../domain/instance';
import { Capabilities } from '../domain/instance-description';
import type { InstanceDirectory } from '../ports/instance-directory';
import type { Nextcloud } from '../ports/nextcloud';

const Talk = z.object({ version: z.string().max(40), features: z.array(z.string()) });

/** Asks each Nextcloud anew, past everything that is remembered of it. */
export class ExamineNextcloud {
  constructor(
    private readonly instances: InstanceDirectory,
    private readonly nextcloud: Nextcloud,
    private readonly app: Pick<AppApiCalls, 'isEnabled'>,
  ) {}

  async examineAll(): Promise<ExaminedInstance[]> {
    const ids = await this.instances.ids();
    return Promise.all(ids.map((id) => this.examine(id)));
  }

  private async examine(id: string): Promise<ExaminedInstance> {
    try {
      const instance = await this.instances.get(id);
      const [server, appApi] = await Promise.all([
        this.examineServer(instance).catch(toProblem),
        instance.appApi === null ? null : this.examineAppApi(instance).catch(toProblem),
      ]);
      return { instance: id, server, appApi };
    } catch (error) {
      const problem = toProblem(error);
      return { instance: id, server: problem, appApi: problem };
    }
  }

  private async examineServer(instance: Instance): Promise<ExaminedInstance['server']> {
    const answer = await this.nextcloud.send(instance, null, ocsQuestion('/ocs/v2.php/cloud/capabilities'));
    const { version, capabilities } = (await readOcsAnswer(answer, Capabilities)).ocs.data;
    const talk = Talk.safeParse(Array.isArray(capabilities) ? undefined : capabilities['spreed']).data;
    return {
      version: version.string,
      talk: talk ? { version: talk.version, bots: talk.features.includes('bots-v1') } : null,
    };
  }

  private async examineAppApi({ id }: Instance): Promise<ExaminedInstance['appApi']> {
    return { enabled: await this.app.isEnabled(id) };
  }
}

/** Foreign errors are told by type alone: their words may quote what came. */
const toProblem = (error: unknown): { problem: Problem } => ({
  problem:
    error instanceof AppError
      ? { code: error.code, message: error.message }
      : { code: 'GATEWAY.INTERNAL', message: 'nextcloud-gateway failed to examine it; its log says how.' },
});
