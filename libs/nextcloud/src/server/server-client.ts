import { z } from 'zod';
import type { GatewayClient } from '../gateway/gateway-client';
import { readOcs } from './read-ocs';

/** What this Nextcloud keeps of what is deleted or replaced. */
export interface Keeping {
  readonly trash: boolean;
  readonly versions: boolean;
}

const Capabilities = z.object({
  capabilities: z.object({
    files: z.object({ undelete: z.boolean().optional(), versioning: z.boolean().optional() }).optional(),
  }),
});

export class ServerClient {
  constructor(private readonly gateway: GatewayClient) {}

  /** Where the server does not say, nothing is kept: a warning too many does no harm. */
  async keeping(): Promise<Keeping> {
    const answer = await readOcs(this.gateway, '/cloud/capabilities?format=json', Capabilities);
    const files = answer?.capabilities.files;
    return { trash: files?.undelete === true, versions: files?.versioning === true };
  }
}
