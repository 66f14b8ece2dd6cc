import { CONFIRMATION_REFUSALS, GATEWAY_REFUSALS, STREAMS } from '@nuqloud/contracts';
import type { MessageContract, StreamDefinition } from '@nuqloud/contracts';
import { BUS_ERRORS, BusError, ERROR_HEADERS, MESSAGE_HEADERS } from '@nuqloud/messaging';
import { isStrict } from '../markdown/field-list';
import type { FieldList } from '../markdown/field-list';
import { anchorOf, code, GENERATED, list, page, prose, table } from '../markdown/markdown';
import { BUS_MESSAGES, servicesThat } from '../schemas/bus-messages';
import type { BusMessage } from '../schemas/bus-messages';
import { codeEntries, fieldListOf } from './reference-sources';
import type { ReferenceSources } from './reference-sources';

/** The codes with which a service refuses, where the contracts hold them. */
const REFUSALS = [
  { service: 'confirmation', constant: 'CONFIRMATION_REFUSALS', codes: CONFIRMATION_REFUSALS },
  { service: 'nextcloud-gateway', constant: 'GATEWAY_REFUSALS', codes: GATEWAY_REFUSALS },
];

export const messagesDocument = (sources: ReferenceSources): string => {
  const fields = fieldListOf(sources, '');
  return page(
    GENERATED,
    '# Messages on the bus',
    `Every message is JSON in UTF-8 on NATS. What does not fit is refused, never guessed at; unknown fields are ignored,
but refused in what is called strict. The same as a machine reads it: [asyncapi.yaml](asyncapi.yaml). Who may do what at the
server: [bus-permissions.md](bus-permissions.md).`,
    overview(),
    '## Headers',
    list(codeEntries(sources, 'MESSAGE_HEADERS', MESSAGE_HEADERS)),
    ...streams(),
    '## Messages',
    ...BUS_MESSAGES.flatMap((message) => section(message, sources, fields)),
    ...refusals(sources),
    '## Shapes',
    'What messages and the tokens in them are made of, by name.',
    ...sources.shapes.flatMap((name) => shape(name, sources, fields)),
  );
};

const overview = (): string =>
  table(
    ['message', 'kind', 'subject', 'from', 'to'],
    BUS_MESSAGES.map(({ contract }) => [
      `[${code(contract.name)}](#${anchorOf(contract.name)})`,
      kindOf(contract),
      code(contract.subject),
      sendersOf(contract).join(', '),
      receiversOf(contract).join(', ') || 'kept in the stream',
    ]),
  );

const kindOf = (contract: MessageContract): string =>
  contract.kind === 'stream' ? `stream ${code(contract.stream)}` : contract.kind;

/** What no service sends is an administrator's doing. */
const sendersOf = (contract: MessageContract): string[] => {
  const services = servicesThat('sends', contract);
  return services.length > 0 ? services : ['an administrator’s command'];
};

const receiversOf = (contract: MessageContract): string[] => [
  ...servicesThat('receives', contract),
  ...servicesThat('consumes', contract),
];

const section = (
  { constant, contract, parts }: BusMessage,
  { constants, schemas }: ReferenceSources,
  fields: FieldList,
): (string | undefined)[] => {
  const comment = constants.find(constant)?.comment;
  return [
    `### ${code(contract.name)}`,
    comment && prose(comment),
    list(factsOf(constant, contract)),
    ...parts.flatMap(([part, type]) => {
      const schema = schemas.get(schemas.nameOf(type));
      return [`**${PART_TITLES[part]}.** ${prose(schema.description ?? '')}`.trim(), fields.render(schema)];
    }),
  ];
};

const PART_TITLES = { request: 'Request', reply: 'Reply', body: 'Body' };

const factsOf = (constant: string, contract: MessageContract): string[] => {
  const refused = REFUSALS.filter(({ service }) => receiversOf(contract).includes(service));
  return [
    `Subject: ${code(contract.subject)}`,
    `Kind: ${KINDS[contract.kind]}${contract.kind === 'stream' ? ` (${code(contract.stream)})` : ''}`,
    `From: ${sendersOf(contract).join(', ')}`,
    ...(receiversOf(contract).length > 0 ? [`To: ${receiversOf(contract).join(', ')}`] : []),
    ...('timeoutMs' in contract
      ? [`Waits at most: ${contract.timeoutMs} ms, where the caller names no deadline`]
      : []),
    ...refused.map(
      ({ service }) => `Refusals: [codes of ${service}](#${anchorOf(`Refusals of ${service}`)})`,
    ),
    `In \`@nuqloud/contracts\`: ${code(constant)}`,
  ];
};

const KINDS: Readonly<Record<MessageContract['kind'], string>> = {
  request: 'request, with one reply',
  broadcast: 'broadcast, with one reply of each service that hears it',
  event: 'event, which may be missed',
  stream: 'durable stream',
};

const streams = (): string[] => [
  '## Streams',
  table(
    ['stream', 'subjects', 'kept for', 'at most', 'same id is one message for', 'consumers'],
    STREAMS.map((stream) => [
      code(stream.name),
      stream.subjects.map(code).join(', '),
      `${stream.maxAgeMs / DAY_MS} days`,
      `${stream.maxBytes / MIB} MiB`,
      `${stream.duplicateWindowMs / MINUTE_MS} minutes`,
      consumersOf(stream) || 'none',
    ]),
  ),
];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1024 * 1024;

const consumersOf = ({ consumers }: StreamDefinition): string =>
  consumers
    .map(
      ({ service, ackWaitMs, maxAckPending }) =>
        `${service} (acknowledges within ${ackWaitMs} ms, ${maxAckPending} at a time)`,
    )
    .join(', ');

const retryable = Object.values(BUS_ERRORS).filter((error) => new BusError(error, '').retryable);

const refusals = (sources: ReferenceSources): string[] => [
  '## Refusals',
  `A request that is refused is answered with an [ErrorBody](#errorbody) and these headers; its \`code\` is one of the
following, or one of a tool service's own.`,
  list(codeEntries(sources, 'ERROR_HEADERS', ERROR_HEADERS)),
  ...REFUSALS.flatMap(({ service, constant, codes }) => [
    `### Refusals of ${service}`,
    list(codeEntries(sources, constant, codes)),
  ]),
  '### Refusals of the bus',
  `What a caller can meet with every message. Worth another try: ${retryable.map(code).join(', ')}.`,
  list(codeEntries(sources, 'BUS_ERRORS', BUS_ERRORS)),
];

const shape = (name: string, { schemas }: ReferenceSources, fields: FieldList): string[] => {
  const schema = schemas.get(name);
  const meaning = [prose(schema.description ?? ''), isStrict(schema) ? 'Strict.' : ''].join(' ').trim();
  return [`### ${name}`, meaning, fields.render(schema)];
};
