import type { ResourceScope, ToolReceipt } from '@nuqloud/contracts';
import type { Asked } from './confirmations';

/** What was done for somebody. */
export interface NewReceipt {
  readonly provider: string;
  readonly tool: string;
  readonly receipt: ToolReceipt;
  readonly scope: ResourceScope | undefined;
}

export interface StoredReceipt extends NewReceipt {
  readonly id: bigint;
}

/** What the end of a turn changes among the receipts. */
export interface ReceiptChanges {
  readonly added: readonly NewReceipt[];
  /** Of this one the inverse has been run. */
  readonly undone?: bigint;
  /** The person has been asked whether this one shall be undone. */
  readonly undoing?: { readonly receipt: bigint; readonly confirmation: string };
}

export abstract class Receipts {
  /** The latest receipt of this person in this room and bot that is not undone. */
  abstract latest(whose: Asked, since: Date): Promise<StoredReceipt | undefined>;
  /** The receipt whose undoing was asked for by that prompt. */
  abstract undoneBy(confirmation: string): Promise<{ id: bigint; tool: string } | undefined>;
}
