import { GATEWAY_ERROR_HEADER, GATEWAY_HEADERS, nextcloudPath, RESOLVE_PATH } from '@nuqloud/contracts';
import { GENERATED, code, list, page, prose } from '../markdown/markdown';
import { codeEntries, fieldListOf } from './reference-sources';
import type { ReferenceSources } from './reference-sources';

const MESSAGES = 'messages.md';

export const httpDocument = (sources: ReferenceSources): string => {
  const { constants, schemas } = sources;
  const fields = fieldListOf(sources, MESSAGES);
  const saidOf = (constant: string) => prose(constants.find(constant)?.comment ?? '');
  const body = (title: string, name: string) => [
    `**${title}.** ${prose(schemas.get(name).description ?? '')}`.trim(),
    fields.render(schemas.get(name)),
  ];
  return page(
    GENERATED,
    '# HTTP between our own services',
    `Tool services reach Nextcloud through nextcloud-gateway, which decides as whom
([what it checks](../../services/nextcloud-gateway/README.md)). The door for Talk takes Talk's own bodies:
[talk-ingress](../../services/talk-ingress/README.md).`,
    '## Headers of every request',
    list(codeEntries(sources, 'GATEWAY_HEADERS', GATEWAY_HEADERS)),
    `The service token's claims: [ServiceTokenClaims](${MESSAGES}#servicetokenclaims). The attestation's:
[AttestationClaims](${MESSAGES}#attestationclaims).`,
    `## ${code(`POST ${RESOLVE_PATH}`)}`,
    ...body('Request', 'ResolveRequest'),
    ...body('Reply', 'ResolvedIdentity'),
    `## ${code(nextcloudPath('{instance}', '/…'))}`,
    saidOf('nextcloudPath'),
    '## Refusals',
    `${code(GATEWAY_ERROR_HEADER)}: ${saidOf('GATEWAY_ERROR_HEADER')}`,
    ...body('Body', 'GatewayError'),
    `Codes: [refusals of nextcloud-gateway](${MESSAGES}#refusals-of-nextcloud-gateway).`,
  );
};
