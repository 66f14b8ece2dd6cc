import type { StreamDefinition } from '@nuqloud/contracts';

/** What of the streams' account the bus may use; everything else of JetStream stays out of its reach. */
export type SharedSubject =
  /** The bus asks, and gets one answer or, where `responses` says so, several. */
  | { readonly kind: 'service'; readonly subject: string; readonly responses: 'singleton' | 'stream' }
  /** The bus hears. */
  | { readonly kind: 'stream'; readonly subject: string };

/** Questions that change nothing. */
export const OBSERVATIONS = ['$JS.API.INFO', '$JS.API.STREAM.INFO.*', '$JS.API.CONSUMER.INFO.*.*'] as const;
/** What JetStream tells of itself. */
export const ADVISORIES = '$JS.EVENT.ADVISORY.>';

/** Appending to the streams, reading through their consumers, and looking at both. */
export const sharedSubjects = (streams: readonly StreamDefinition[]): SharedSubject[] => {
  const consumers = streams.flatMap(({ name, consumers: all }) =>
    all.map(({ service }) => [name, service] as const),
  );
  return [
    ...streams.flatMap(({ subjects }) => subjects).map(asked),
    // A pull is answered with signs of life, too. The server keeps the way back for as long as somebody listens there.
    ...consumers.map((consumer) => ({ ...asked(next(...consumer)), responses: 'stream' }) as const),
    ...consumers.map((consumer) => asked(acks(...consumer))),
    ...OBSERVATIONS.map(asked),
    { kind: 'stream', subject: ADVISORIES },
  ];
};

const asked = (subject: string) => ({ kind: 'service', subject, responses: 'singleton' }) as const;

/** What a service sends to read through its consumer of that stream, if it has one. */
export const consumerSubjects = ({ name, consumers }: StreamDefinition, service: string): string[] =>
  consumers.some((consumer) => consumer.service === service)
    ? [`$JS.API.CONSUMER.INFO.${name}.${service}`, next(name, service), acks(name, service)]
    : [];

const next = (stream: string, consumer: string) => `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
const acks = (stream: string, consumer: string) => `$JS.ACK.${stream}.${consumer}.>`;
