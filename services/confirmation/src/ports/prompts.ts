import type { ActionOutcome, PlannedAction, ResourceScope } from '@nuqloud/contracts';
import type { AttestedMessage } from '../domain/judge-answer';
import type { Place, Prompt } from '../domain/prompt';

/** A prompt that is to be asked; its code is chosen where the taken ones are known. */
export interface NewPrompt extends Place {
  readonly id: string;
  readonly message: string;
  /** Names the proposal: the same again is the same prompt. */
  readonly digest: string;
  readonly language: Prompt['language'];
  readonly zone: string | null;
  readonly createdAt: number;
  readonly actions: readonly {
    readonly action: PlannedAction;
    readonly hash: string;
    readonly title: string;
  }[];
}

/** Code and text of a prompt. */
export interface Wording {
  readonly code: string;
  readonly text: string;
}

export interface Replaced {
  readonly id: string;
  readonly bot: string;
  readonly message: string;
}

/** An action of a prompt, as far as it has come. */
export interface StoredAction {
  readonly n: number;
  readonly provider: string;
  readonly tool: string;
  readonly hash: string;
  readonly title: string;
  readonly state: 'asked' | 'claimed' | 'done' | 'failed' | 'unknown';
  /** Null once it is settled, or too late to begin. */
  readonly action: PlannedAction | null;
  readonly claimDeadline: number | null;
  readonly outcome: ActionOutcome | null;
  /** The limits under which it was done, once its outcome is known. */
  readonly scope: ResourceScope | undefined;
}

export interface Ending {
  readonly state: 'approved' | 'rejected' | 'expired';
  /** The message that ended it, where it has to be remembered. */
  readonly answer: string | null;
  /** Whether the person knows. */
  readonly told: boolean;
  readonly at: number;
}

/** A prompt that nobody has answered. */
export interface AgedPrompt extends Prompt {
  readonly createdAt: number;
}

/** Runs before a change is final; what it throws undoes the change. */
export type Recording = () => Promise<void>;

/**
 * The prompts of everybody, shared by all replicas. Each change happens as a whole or not at all, and `record` runs
 * within it: no change without its record.
 */
export abstract class Prompts {
  /**
   * Stores a prompt and closes what the same person was asked before in that room. A known digest stores nothing.
   * @param word called with the codes that would be mistaken for another prompt's
   * @returns the stored prompt
   */
  abstract ask(
    prompt: NewPrompt,
    word: (isTaken: (code: string) => boolean) => Wording,
    record: (replaced: readonly Replaced[]) => Promise<void>,
  ): Promise<Prompt>;

  /** What a message can be about: the open prompt, one whose expiry was not told yet, and what this message ended. */
  abstract concerning(message: AttestedMessage): Promise<Prompt[]>;

  /** Remembers when Talk took it. */
  abstract posted(id: string, at: number): Promise<void>;

  /**
   * Of several that end it, one does.
   * @returns the actions that may begin now, which only an approval has; undefined where it was not open any more
   */
  abstract end(id: string, ending: Ending, record: Recording): Promise<StoredAction[] | undefined>;

  abstract actionsOf(id: string): Promise<StoredAction[]>;

  /** Open prompts that Talk took, or where that is not known, that were asked, before a time; the oldest first. */
  abstract openSince(before: number, limit: number): Promise<AgedPrompt[]>;

  /** Forgets everything that was asked before a time. @returns how many prompts that were */
  abstract forget(before: number): Promise<number>;
}
