import { ActionOutcome, PlannedAction, ResourceScope } from '@nuqloud/contracts';
import type { ConfirmationAction } from '@nuqloud/database';
import { Prisma } from '@nuqloud/database';
import type { Language } from '../domain/phrases/phrases';
import type { PromptState } from '../domain/prompt';
import type { AgedPrompt, StoredAction } from '../ports/prompts';

/** A prompt as SQL returns it, with the titles of its actions. */
export interface PromptRow {
  readonly id: string;
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly thread: string | null;
  readonly sub: string;
  readonly message: string;
  readonly code: string;
  readonly language: string;
  readonly zone: string | null;
  readonly text: string;
  readonly state: string;
  readonly created_at: Date;
  readonly posted_at: Date | null;
  readonly answer: string | null;
  readonly told: boolean;
  readonly titles: string[];
}

export const PROMPT_COLUMNS = Prisma.sql`
  c.id, c.instance, c.bot, c.room, c.thread, c.sub, c.message, c.code, c.language, c.zone, c.text, c.state,
  c.created_at, c.posted_at, c.answer, c.told,
  ARRAY(SELECT a.title FROM confirmation_actions a WHERE a.confirmation_id = c.id ORDER BY a.n) AS titles`;

export const promptOf = ({
  created_at,
  posted_at,
  thread,
  language,
  state,
  ...row
}: PromptRow): AgedPrompt => ({
  ...row,
  thread: thread ?? undefined,
  language: language as Language,
  state: state as PromptState,
  createdAt: created_at.getTime(),
  postedAt: posted_at?.getTime() ?? null,
});

/**
 * JSON columns hold JSON text as one string: PostgreSQL's own JSON takes no NUL, which a file may hold, and an
 * approved action must come back to the last bit.
 */
export const toColumn = (value: object): string => JSON.stringify(value);

const fromColumn = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : undefined);

/** An outcome, with what is kept of its action, which is emptied then. */
const StoredOutcome = ActionOutcome.extend({ scope: ResourceScope.optional() });

/** @param action as its column held it; null where it was emptied before */
export const toOutcomeColumn = (outcome: ActionOutcome, action: unknown): string => {
  const scope = action === null ? undefined : PlannedAction.parse(fromColumn(action)).scope;
  return toColumn({ ...outcome, ...(scope && { scope }) });
};

export const storedActionOf = (row: ConfirmationAction): StoredAction => {
  const stored = row.outcome === null ? null : StoredOutcome.parse(fromColumn(row.outcome));
  return {
    n: row.n,
    provider: row.provider,
    tool: row.tool,
    hash: row.hash,
    title: row.title,
    state: row.state as StoredAction['state'],
    action: row.action === null ? null : PlannedAction.parse(fromColumn(row.action)),
    claimDeadline: row.claimDeadline?.getTime() ?? null,
    outcome: stored && ActionOutcome.parse(stored),
    scope: stored?.scope,
  };
};
