import type { EventEmitter } from 'node:events';
import type { FaultPlan } from './http/fault-plan';
import type { RequestJournal } from './http/request-journal';
import type { FailureCounter } from './talk/failure-counter';
import type { WebhookLog } from './talk/webhook-log';
import type { World } from './world/world';

/** One running emulator: the world, what is written down about it, and what its operator asked of it. */
export interface Emulation {
  /** Replaced by a reset. */
  world: World;
  /** Public base URL without a trailing slash, Nextcloud's `overwrite.cli.url`. */
  readonly publicUrl: string;
  /** Path of the installation below the host, `''` or e.g. `/nextcloud`. */
  readonly webRoot: string;
  /** What the chat page says besides that it is an emulator. */
  readonly notice: string;
  readonly requests: RequestJournal;
  readonly webhooks: WebhookLog;
  readonly faults: FaultPlan;
  readonly botFailures: FailureCounter;
  /** How long a bot may take to answer a webhook. */
  readonly botTimeoutMs: number;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
  /** Emits a room's token whenever its history has grown. */
  readonly history: EventEmitter;
  /** Milliseconds since 1970. */
  now(): number;
}
