import { CollectToolProviders, CORE_PROVIDERS, DescribeInstance } from '@nuqloud/contracts';
import type { CollectToolProvidersReply } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { Wrong } from '../examination';
import type { Examination } from '../examination';
import type { Instances } from './nextcloud';
import type { Running } from './services';

/** Who offers which tools, asked in the agent's own words. */
export const examineProviders = async (
  exam: Examination,
  running: Running,
  instances: Instances,
): Promise<void> => {
  exam.stage('Tools');
  for (const { id } of instances) {
    const offers = running['nextcloud-gateway'].right
      ? await collect(running['nextcloud-gateway'].value, id)
      : new Map<string, CollectToolProvidersReply>();
    for (const [service, provider] of Object.entries(CORE_PROVIDERS)) {
      await exam.check(`${id}: ${provider}`, [running[service as keyof typeof CORE_PROVIDERS]], () =>
        examineOffer(service, offers.get(provider)),
      );
      offers.delete(provider);
    }
    for (const [provider, offer] of offers)
      await exam.check(`${id}: ${provider}`, [], () => examineOffer(provider, offer));
  }
};

const examineOffer = (service: string, offer: CollectToolProvidersReply | undefined) => {
  if (!offer) throw new Wrong(`${service} does not say what it offers.`, 'Its log says why.');
  if (offer.tools.length === 0)
    throw new Wrong(`offers nothing${offer.note === undefined ? '' : `: ${offer.note}`}.`);
  return { found: `offers ${offer.tools.length} tools`, value: undefined };
};

const collect = async (bus: Bus, id: string): Promise<Map<string, CollectToolProvidersReply>> => {
  const description = await bus.request(DescribeInstance, {}, { v: 1, instance: id }).catch(() => undefined); // a Nextcloud that is away has its own line above
  const { answers } = await bus.collect(
    CollectToolProviders,
    {},
    {
      v: 1,
      instance: {
        id,
        nextcloudMajor: description?.nextcloud.major ?? null,
        apps: description?.apps ?? [],
      },
    },
    {
      expected: new Set(Object.values(CORE_PROVIDERS)),
      identify: ({ provider }) => provider,
      graceMs: CollectToolProviders.timeoutMs,
      maxWaitMs: CollectToolProviders.timeoutMs,
    },
  );
  return new Map(answers);
};
