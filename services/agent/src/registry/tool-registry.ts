import { Inject, Injectable } from '@nestjs/common';
import type { CollectToolProvidersReply, CollectToolProvidersRequest } from '@nuqloud/contracts';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { matchesPattern } from '../domain/loadout';
import type { OfferedTool } from '../domain/loadout';
import { Bots, KnownTools } from '../ports/bots';
import { ProviderBreaker } from '../ports/breaker';
import { Nextcloud } from '../ports/nextcloud';
import { ToolProviders } from '../ports/tool-providers';
import { acceptDefinitions, mergeOffers } from './accept-definitions';

/** What the providers offer for one Nextcloud. */
interface Offers {
  readonly byProvider: Map<string, readonly OfferedTool[]>;
  tools: ReadonlyMap<string, OfferedTool>;
  collectedAt: number;
}

/** Injection token: ids of our own tool providers, which win name collisions and are waited for. */
export const CORE = Symbol('core providers');

/** A change is told by `tools.changed`; this is for the event that was missed. */
const FRESH_MS = 60_000;
/** Providers that can announce themselves between two rounds; there are never so many. */
const MAX_ANNOUNCED = 50;

/**
 * Which tools there are, per Nextcloud. Kept in memory only to be quick: a replica that knows
 * nothing asks, and a provider that says it changed is asked again before the next message is answered.
 */
@Injectable()
export class ToolRegistry {
  private readonly offers = new Map<string, Offers>();
  private readonly collecting = new Map<string, Promise<Offers>>();
  /** Providers worth waiting for: our own, and whoever announced itself or answered before. */
  private readonly known: Set<string>;
  private readonly announced = new Set<string>();
  private round: Promise<void> = Promise.resolve();
  private nextRound: Promise<void> | undefined;

  constructor(
    private readonly providers: ToolProviders,
    private readonly breaker: ProviderBreaker,
    private readonly bots: Bots,
    private readonly knownTools: KnownTools,
    private readonly nextcloud: Nextcloud,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.known = new Set(core);
  }

  /** The tools offered for an instance, by name. Never fails: without an answer there are none. */
  async offered(instance: string): Promise<ReadonlyMap<string, OfferedTool>> {
    const known = this.offers.get(instance);
    const underWay = this.collecting.get(instance);
    if (!known || underWay) return (await (underWay ?? this.refresh(instance))).tools;
    if (performance.now() - known.collectedAt > FRESH_MS) void this.refresh(instance);
    return known.tools;
  }

  /** Asks before the first person does. */
  async warmUp(): Promise<void> {
    await this.everywhere((instance) => this.refresh(instance));
  }

  /** A provider says that it changed: everybody is asked again. News that come meanwhile cost one more round, not one each. */
  changed(provider: string): Promise<void> {
    this.announced.add(provider);
    return (this.nextRound ??= this.round.then(() => this.askEverywhere()));
  }

  /** A call found nobody there: its tools are gone until the provider says that it is back. */
  async gone(provider: string): Promise<void> {
    await this.breaker.trip(provider);
    for (const [instance, offers] of this.offers) {
      if (offers.byProvider.delete(provider)) this.merge(instance, offers);
    }
  }

  private askEverywhere(): Promise<void> {
    this.nextRound = undefined;
    const announced = [...this.announced].slice(0, MAX_ANNOUNCED);
    this.announced.clear();
    this.round = (async () => {
      for (const provider of announced) this.known.add(provider);
      await Promise.all(announced.map((provider) => this.breaker.reset(provider)));
      await this.everywhere(async (instance) => {
        // A collection that is under way may have asked before the change.
        await this.collecting.get(instance);
        await this.refresh(instance);
      });
    })();
    return this.round;
  }

  private async everywhere(act: (instance: string) => Promise<unknown>): Promise<void> {
    try {
      await Promise.all((await this.bots.instances()).map(act));
    } catch (error) {
      this.logger.warn({ event: 'registry.failed', ...describeError(error) });
    }
  }

  private refresh(instance: string): Promise<Offers> {
    const underWay = this.collecting.get(instance);
    if (underWay) return underWay;
    const collection = this.collect(instance).finally(() => this.collecting.delete(instance));
    this.collecting.set(instance, collection);
    return collection;
  }

  private async collect(instance: string): Promise<Offers> {
    const offers: Offers = { byProvider: new Map(), tools: new Map(), collectedAt: performance.now() };
    try {
      const candidates = [...this.known];
      const broken = await this.breaker.open(candidates);
      const expected = new Set(candidates.filter((provider) => !broken.has(provider)));
      const late = (provider: string, reply: CollectToolProvidersReply) =>
        void this.add(instance, provider, reply);
      const collected = await this.providers.collect(await this.describe(instance), expected, late);
      for (const reply of collected.answers.values()) this.accept(offers, reply);
      await Promise.all(collected.silent.map((provider) => this.breaker.trip(provider)));
      const { silent, unusable } = collected;
      if (silent.length + unusable.length > 0) {
        this.logger.warn({ event: 'registry.incomplete', instance, silent, unusable });
      }
      this.offers.set(instance, offers);
      this.merge(instance, offers);
      await this.store(instance, offers, silent.length === 0 && broken.size === 0);
    } catch (error) {
      this.logger.warn({ event: 'registry.failed', instance, ...describeError(error) });
    }
    return offers;
  }

  /** An answer that came late, or from a provider that was not waited for: it is back by itself. */
  private async add(instance: string, provider: string, reply: CollectToolProvidersReply): Promise<void> {
    // The collection it was meant for may have returned a moment ago and not be stored yet.
    await this.collecting.get(instance);
    const offers = this.offers.get(instance);
    if (!offers) return;
    this.accept(offers, reply);
    this.merge(instance, offers);
    await this.breaker.reset(provider);
  }

  private accept(offers: Offers, reply: CollectToolProvidersReply): void {
    const { accepted, refused } = acceptDefinitions(reply, this.core);
    offers.byProvider.set(reply.provider, accepted);
    this.known.add(reply.provider);
    for (const refusal of refused) this.logger.warn({ event: 'registry.definition-refused', ...refusal });
  }

  private merge(instance: string, offers: Offers): void {
    const { tools, collisions } = mergeOffers(offers.byProvider, this.core);
    offers.tools = tools;
    for (const collision of collisions)
      this.logger.warn({ event: 'registry.collision', instance, ...collision });
  }

  private async describe(instance: string): Promise<CollectToolProvidersRequest['instance']> {
    try {
      const { nextcloud, apps } = await this.nextcloud.instance(instance);
      return { id: instance, nextcloudMajor: nextcloud.major, apps };
    } catch (error) {
      this.logger.warn({ event: 'registry.instance-unknown', instance, ...describeError(error) });
      return { id: instance, nextcloudMajor: null, apps: [] };
    }
  }

  private async store(instance: string, offers: Offers, complete: boolean): Promise<void> {
    await this.knownTools.save(
      instance,
      [...offers.tools.values()].map(({ provider, definition }) => ({
        name: definition.name,
        provider,
        label: definition.label ?? definition.name,
        summary: definition.summary ?? '',
      })),
    );
    if (complete) await this.expandPatterns(instance, offers.tools);
  }

  /** A pattern is expanded once, when everybody has answered; tools that come later are not switched on by themselves. */
  private async expandPatterns(instance: string, tools: ReadonlyMap<string, OfferedTool>): Promise<void> {
    for (const pending of await this.bots.pendingPatterns(instance)) {
      const names = [...tools.keys()].filter((name) => matchesPattern(pending.pattern, name));
      if (names.length > 0) await this.bots.expand(pending, names);
    }
  }
}
