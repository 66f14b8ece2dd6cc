import type { IncomingHttpHeaders } from 'node:http';
import { ActingMode, GATEWAY_REFUSALS, GATEWAY_HEADERS, ToolName } from '@nuqloud/contracts';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { ActingIdentity } from './resolve-identity';

/** Which tool asks, for which message. @throws GatewayRefusal INVALID_REQUEST, INVALID_ATTESTATION */
export const readToolUse = (headers: IncomingHttpHeaders): { tool: string; attestation: string } => {
  const tool = ToolName.safeParse(headers[GATEWAY_HEADERS.tool]);
  if (!tool.success) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.INVALID_REQUEST,
      `The header ${GATEWAY_HEADERS.tool} must name the tool.`,
    );
  }
  const attestation = headers[GATEWAY_HEADERS.attestation];
  if (typeof attestation !== 'string') {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.INVALID_ATTESTATION,
      `The header ${GATEWAY_HEADERS.attestation} is missing.`,
    );
  }
  return { tool: tool.data, attestation };
};

/**
 * Compares whom the tool service believes to act as with who acts: it may have planned for somebody else.
 * @throws GatewayRefusal IDENTITY_MISMATCH
 */
export const requireSameIdentity = (
  headers: IncomingHttpHeaders,
  identity: Pick<ActingIdentity, 'mode' | 'profile' | 'uid'>,
): void => {
  const mode = ActingMode.safeParse(headers[GATEWAY_HEADERS.mode]);
  const profile = headers[GATEWAY_HEADERS.profile];
  const same =
    mode.data === identity.mode &&
    (profile === undefined || profile === '') === (identity.profile === null) &&
    decoded(headers[GATEWAY_HEADERS.uid]) === identity.uid;
  if (!same) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.IDENTITY_MISMATCH,
      'Mode, profile or user id differ from what the gateway resolves for this message and tool; resolve again.',
    );
  }
};

const decoded = (header: string | string[] | undefined): string | undefined => {
  if (typeof header !== 'string') return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    // URIError: nobody's id.
    return undefined;
  }
};
