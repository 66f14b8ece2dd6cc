import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId } from '../ids';

export const InstanceDescription = z.object({
  v: z.literal(1),
  instance: InstanceId,
  nextcloud: z.object({ major: z.number().int(), version: z.string().max(40) }),
  /** Ids of the apps that show themselves in the server's capabilities. */
  apps: z.array(z.string().max(64)).max(500),
});
export type InstanceDescription = z.infer<typeof InstanceDescription>;

/** Version and apps of a Nextcloud; needs no attestation because it says nothing about anybody. */
export const DescribeInstance = defineRequest({
  name: 'gateway.instance.v1',
  subject: 'gateway.instance',
  request: z.object({ v: z.literal(1), instance: InstanceId }),
  reply: InstanceDescription,
  timeoutMs: 5_000,
});
