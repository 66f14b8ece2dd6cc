import * as contracts from '@nuqloud/contracts';
import type { MessageContract } from '@nuqloud/contracts';
import type { z } from 'zod';

/** What of a message travels in which direction. */
export type Part = 'request' | 'reply' | 'body';

export interface BusMessage {
  /** The constant that defines it in the contracts. */
  readonly constant: string;
  readonly contract: MessageContract;
  readonly parts: readonly (readonly [Part, z.ZodType])[];
}

const isContract = (value: unknown): value is MessageContract =>
  typeof value === 'object' && value !== null && 'kind' in value && 'subject' in value;

const partsOf = (contract: MessageContract): BusMessage['parts'] =>
  'body' in contract
    ? [['body', contract.body]]
    : [
        ['request', contract.request],
        ['reply', contract.reply],
      ];

/** Every message of the bus, by name. */
export const BUS_MESSAGES: readonly BusMessage[] = Object.entries(contracts)
  .flatMap(([constant, value]) =>
    isContract(value) ? [{ constant, contract: value, parts: partsOf(value) }] : [],
  )
  .sort((a, b) => (a.contract.name < b.contract.name ? -1 : 1));

/** Who uses the bus, and for which messages. */
export const PARTIES: Readonly<Record<string, contracts.BusAccess>> = {
  ...contracts.BUS_ACCESS,
  monitor: contracts.MONITOR_ACCESS,
};

/** Those of them for which that list of theirs holds the message. */
export const servicesThat = (
  access: 'sends' | 'receives' | 'consumes',
  contract: MessageContract,
): string[] =>
  Object.entries(PARTIES)
    .filter(([, of]) => of[access].includes(contract))
    .map(([service]) => service);
