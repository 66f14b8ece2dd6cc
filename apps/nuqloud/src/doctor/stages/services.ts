import { SERVICES } from '@nuqloud/contracts';
import type { ServiceName } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { Wrong } from '../examination';
import type { Checked, Examination } from '../examination';
import type { Stores } from './stores';

/** Replicas may be far away and busy; what has not answered by then is as good as away. */
const ROLL_CALL_MS = 750;

export type Running = Readonly<Record<ServiceName, Checked<Bus>>>;

/** Which services are there; each value is the bus by which to ask it. */
export const examineServices = async (exam: Examination, { bus }: Stores): Promise<Running> => {
  exam.stage('Services');
  const present = bus.right ? await rollCall(bus.value) : new Map<string, string[]>();
  const checked: [ServiceName, Checked<Bus>][] = [];
  for (const service of SERVICES) {
    const check = await exam.check(service, [bus], (connected) => {
      const versions = present.get(service) ?? [];
      if (versions.length === 0)
        throw new Wrong('does not answer on the bus.', 'Start it; its log says what it lacks.');
      const replicas = versions.length > 1 ? `${versions.length} replicas` : 'answers';
      return { found: `${replicas} (${[...new Set(versions)].join(', ')})`, value: connected };
    });
    checked.push([service, check]);
  }
  return Object.fromEntries(checked) as Running;
};

/** Versions of everybody who answers NATS's own question who is there, by name. */
const rollCall = async ({ connection }: Bus): Promise<ReadonlyMap<string, string[]>> => {
  const present = new Map<string, string[]>();
  const answers = await connection.services
    .client({ strategy: 'timer' as never, maxWait: ROLL_CALL_MS })
    .ping();
  for await (const { name, version } of answers) present.set(name, [...(present.get(name) ?? []), version]);
  return present;
};
