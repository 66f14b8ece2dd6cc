import type { InstanceDescription } from '@nuqloud/contracts';
import { z } from 'zod';

/** `GET /ocs/v2.php/cloud/capabilities`; each app that has something to say has a key of its own. */
export const Capabilities = z.object({
  ocs: z.object({
    data: z.object({
      version: z.object({ major: z.number().int(), string: z.string().max(40) }),
      // PHP writes an empty map as a list.
      capabilities: z.union([z.record(z.string().max(64), z.unknown()), z.array(z.unknown()).max(0)]),
    }),
  }),
});
export type Capabilities = z.infer<typeof Capabilities>['ocs']['data'];

const MAX_APPS = 500;

export const describeInstance = (
  instance: string,
  { version, capabilities }: Capabilities,
): InstanceDescription => ({
  v: 1,
  instance,
  nextcloud: { major: version.major, version: version.string },
  apps: Object.keys(capabilities).sort().slice(0, MAX_APPS),
});
