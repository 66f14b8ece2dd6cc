import type { AttestationClaims } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { actingUid } from '../domain/acting-person';
import { ownsTool } from '../domain/families';
import type { FamilyName } from '../domain/families';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { grantFor } from '../domain/grants';
import type { Instance } from '../domain/instance';
import type { GrantTable } from '../ports/grant-table';
import type { InstanceDirectory } from '../ports/instance-directory';
import type { VerifyAttestation } from './verify-attestation';

/** Who acts where, as the gateway itself finds it. */
export interface ActingIdentity {
  readonly mode: 'user';
  readonly profile: null;
  readonly uid: string;
  readonly instance: Instance;
  readonly attested: AttestationClaims;
}

export interface ToolUse {
  readonly family: FamilyName;
  readonly tool: string;
  readonly attestation: string;
  /** The instance that the request is for, where it names one. */
  readonly instance?: string;
}

/**
 * Decides as whom a tool acts for a message, from the attestation and the gateway's own tables alone.
 * Whether Nextcloud agrees is asked separately, before anything is done: `KnownPeople.confirm`.
 */
export class ResolveIdentity {
  constructor(
    private readonly attestations: VerifyAttestation,
    private readonly instances: InstanceDirectory,
    private readonly grants: GrantTable,
  ) {}

  /** @throws GatewayRefusal */
  async resolve({ family, tool, attestation, instance }: ToolUse): Promise<ActingIdentity> {
    const attested = await this.attestations.verify(attestation);
    if (instance !== undefined && instance !== attested.instance) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.WRONG_INSTANCE,
        `The message was written in another instance than ${instance}.`,
      );
    }
    const uid = actingUid(attested);
    if (!ownsTool(family, tool)) {
      throw new GatewayRefusal(GATEWAY_REFUSALS.FOREIGN_TOOL, `${tool} is no tool of the family ${family}.`);
    }
    const [where] = await Promise.all([
      this.instances.get(attested.instance),
      this.requireUserMode(attested, tool),
    ]);
    return { mode: 'user', profile: null, uid, instance: where, attested };
  }

  private async requireUserMode({ instance, bot }: AttestationClaims, tool: string): Promise<void> {
    const grant = grantFor(await this.grants.ofBot(instance, bot), tool);
    if (!grant) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.NOT_GRANTED,
        `The bot ${bot} has not been given ${tool}; an administrator can assign it.`,
      );
    }
    if (grant.mode !== 'user') {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.AGENT_MODE_UNAVAILABLE,
        `${tool} is assigned in agent mode, which this version does not have; assign it in user mode.`,
      );
    }
  }
}
