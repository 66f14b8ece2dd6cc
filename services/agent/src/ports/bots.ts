import type { AllowedUsers, RoomMode } from '@nuqloud/contracts';
import type { ForcedSearchMode } from '../domain/forced-search';
import type { ToolAssignment } from '../domain/loadout';

export interface Bot {
  readonly slug: string;
  readonly instance: string;
  /** Base URL of its Nextcloud. */
  readonly instanceUrl: string;
  readonly name: string;
  readonly triggers: readonly string[];
  readonly prompt: string;
  readonly model: string | undefined;
  readonly temperature: number | undefined;
  readonly users: AllowedUsers;
  readonly guests: boolean;
  readonly forcedSearch: ForcedSearchMode;
  readonly defaultMode: RoomMode;
  readonly modes: ReadonlyMap<string, RoomMode>;
}

export interface PendingPattern {
  readonly bot: string;
  readonly instance: string;
  readonly pattern: string;
}

export abstract class Bots {
  /** Instances that some bot serves. */
  abstract instances(): Promise<string[]>;
  /** Models that bots name instead of the default one. */
  abstract models(): Promise<string[]>;
  abstract find(slug: string): Promise<Bot | undefined>;
  /** The loadout in the order of assignment, without patterns. */
  abstract tools(slug: string): Promise<ToolAssignment[]>;
  /** Patterns of an instance's bots that have not been expanded yet. */
  abstract pendingPatterns(instance: string): Promise<PendingPattern[]>;
  /** Stores what a pattern stands for; it is never expanded again. */
  abstract expand(pattern: PendingPattern, tools: readonly string[]): Promise<void>;
}

export interface KnownTool {
  readonly name: string;
  readonly provider: string;
  readonly label: string;
  readonly summary: string;
}

/** The last that was known of every tool. */
export abstract class KnownTools {
  abstract save(instance: string, tools: readonly KnownTool[]): Promise<void>;
  abstract byName(instance: string, names: readonly string[]): Promise<KnownTool[]>;
}
