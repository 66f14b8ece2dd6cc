import type { Language } from './phrases/phrases';

export type PromptState = 'asked' | 'approved' | 'rejected' | 'expired' | 'replaced';

/** Where somebody was asked: a person has at most one open prompt per instance and room. */
export interface Place {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly thread: string | undefined;
  /** `users/<uid>` */
  readonly sub: string;
}

/** A question that was put to a person. Times are milliseconds since the epoch. */
export interface Prompt extends Place {
  readonly id: string;
  /** The message that asked for the actions. */
  readonly message: string;
  readonly code: string;
  readonly language: Language;
  readonly zone: string | null;
  /** As it was handed to Talk; empty once the question is closed. */
  readonly text: string;
  readonly state: PromptState;
  /** When Talk took it, as far as is known. */
  readonly postedAt: number | null;
  /** The message that ended it. */
  readonly answer: string | null;
  readonly told: boolean;
  /** Of its actions, in order. */
  readonly titles: readonly string[];
}
