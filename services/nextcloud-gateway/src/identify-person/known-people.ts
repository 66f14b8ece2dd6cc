import type { PersonDescription } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { isAppError } from '@nuqloud/platform';
import { ExpiringMap } from '../domain/expiring-map';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Instance } from '../domain/instance';
import { CloudUser, describePerson } from '../domain/person';
import type { Nextcloud } from '../ports/nextcloud';
import { ocsQuestion, readOcsAnswer } from '../ask-ocs/ask-ocs';

/** For so long after Nextcloud named a person we act as that person without asking again. */
const CONFIRMED_MS = 5 * 60_000;
/** Names, languages and groups may be this old. */
const FRESH_MS = 60_000;
/** A login that failed is not tried again at once: Nextcloud counts failures and slows everybody down. */
const REFUSED_MS = 30_000;
const MAX_PEOPLE = 2_000;

type Known =
  { readonly person: PersonDescription; readonly freshUntil: number } | { readonly refusal: GatewayRefusal };

/**
 * Whom Nextcloud takes our logins for. A failed AppAPI login goes on anonymously, and an id in another case
 * is another string for DAV, so nobody acts before Nextcloud has returned exactly the attested id.
 */
export class KnownPeople {
  private readonly known = new ExpiringMap<Known>(MAX_PEOPLE);
  private readonly asking = new Map<string, Promise<PersonDescription>>();

  constructor(
    private readonly nextcloud: Nextcloud,
    private readonly now: () => number = Date.now,
  ) {}

  /** Makes sure that acting as `uid` is acting as that person. @throws GatewayRefusal NOT_THAT_PERSON and of Nextcloud */
  async confirm(instance: Instance, uid: string): Promise<void> {
    const known = this.recall(instance, uid);
    if (!known) await this.ask(instance, uid);
  }

  /** @throws GatewayRefusal NOT_THAT_PERSON and of Nextcloud */
  async describe(instance: Instance, uid: string): Promise<PersonDescription> {
    const known = this.recall(instance, uid);
    return known && known.freshUntil > this.now() ? known.person : this.ask(instance, uid);
  }

  /** After Nextcloud refused the login of this person. */
  refused(instance: Instance, uid: string, refusal: GatewayRefusal): void {
    this.known.set(keyOf(instance, uid), { refusal }, this.now() + REFUSED_MS);
  }

  private recall(instance: Instance, uid: string): Exclude<Known, { refusal: unknown }> | undefined {
    const known = this.known.get(keyOf(instance, uid), this.now());
    if (known && 'refusal' in known) throw known.refusal;
    return known;
  }

  /** Several requests for one person at the same time ask once. */
  private ask(instance: Instance, uid: string): Promise<PersonDescription> {
    const key = keyOf(instance, uid);
    let answer = this.asking.get(key);
    if (!answer) {
      answer = this.lookUp(instance, uid).finally(() => this.asking.delete(key));
      this.asking.set(key, answer);
    }
    return answer;
  }

  private async lookUp(instance: Instance, uid: string): Promise<PersonDescription> {
    try {
      const user = await this.fetch(instance, uid);
      if (user.id !== uid) throw notThatPerson();
      const person = describePerson(user);
      const now = this.now();
      this.known.set(keyOf(instance, uid), { person, freshUntil: now + FRESH_MS }, now + CONFIRMED_MS);
      return person;
    } catch (error) {
      if (isLasting(error)) this.refused(instance, uid, error);
      throw error;
    }
  }

  private async fetch(instance: Instance, uid: string): Promise<CloudUser> {
    const answer = await this.nextcloud.send(instance, uid, ocsQuestion('/ocs/v2.php/cloud/user'));
    return (await readOcsAnswer(answer, CloudUser)).ocs.data;
  }
}

/** Passing troubles of the network are asked about again at once. */
const isLasting = (error: unknown): error is GatewayRefusal =>
  isAppError(error, GATEWAY_REFUSALS.NOT_THAT_PERSON) ||
  isAppError(error, GATEWAY_REFUSALS.CREDENTIALS_REFUSED);

const keyOf = (instance: Instance, uid: string): string => `${instance.id}/${uid}`;

const notThatPerson = (): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.NOT_THAT_PERSON,
    'Nextcloud took this user id for somebody else, so nothing is done. The id must be spelled exactly as in Nextcloud.',
  );
