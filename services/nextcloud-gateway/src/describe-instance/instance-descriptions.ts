import type { InstanceDescription } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Capabilities, describeInstance } from '../domain/instance-description';
import { ocsQuestion, readOcsAnswer } from '../ask-ocs/ask-ocs';
import type { InstanceDirectory } from '../ports/instance-directory';
import type { Nextcloud } from '../ports/nextcloud';

/** After so long it is asked again, in the background. */
const FRESH_MS = 60_000;
/** Older than this nothing is told: better an error than what was true before an update. */
const USABLE_MS = 10 * 60_000;

interface Known {
  readonly description: InstanceDescription;
  readonly askedAt: number;
}

/**
 * Version and apps of each instance. They are asked for without any login, because nobody acts here; apps that
 * show themselves to logged-in people only are missing.
 */
export class InstanceDescriptions {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Map<string, Promise<InstanceDescription>>();

  constructor(
    private readonly instances: InstanceDirectory,
    private readonly nextcloud: Nextcloud,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws GatewayRefusal UNKNOWN_INSTANCE, and of Nextcloud and the store */
  async describe(instance: string): Promise<InstanceDescription> {
    const known = this.known.get(instance);
    const age = known ? this.now() - known.askedAt : Infinity;
    if (known && age < FRESH_MS) return known.description;
    const answer = this.ask(instance);
    if (!known || age >= USABLE_MS) return answer;
    answer.catch((error: unknown) =>
      this.logger.warn({ event: 'gateway.instance-not-refreshed', instance, ...describeError(error) }),
    );
    return known.description;
  }

  private ask(instance: string): Promise<InstanceDescription> {
    let answer = this.asking.get(instance);
    if (!answer) {
      answer = this.fetch(instance).finally(() => this.asking.delete(instance));
      this.asking.set(instance, answer);
    }
    return answer;
  }

  private async fetch(id: string): Promise<InstanceDescription> {
    const instance = await this.instances.get(id);
    const answer = await this.nextcloud.send(instance, null, ocsQuestion('/ocs/v2.php/cloud/capabilities'));
    const description = describeInstance(id, (await readOcsAnswer(answer, Capabilities)).ocs.data);
    this.known.set(id, { description, askedAt: this.now() });
    return description;
  }
}
