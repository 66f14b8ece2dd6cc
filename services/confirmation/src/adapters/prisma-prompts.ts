import { Prisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { AttestedMessage } from '../domain/judge-answer';
import type { Prompt } from '../domain/prompt';
import type {
  AgedPrompt,
  Ending,
  NewPrompt,
  Recording,
  Replaced,
  StoredAction,
  Wording,
} from '../ports/prompts';
import { Prompts } from '../ports/prompts';
import { CHANGE, fromStore } from './from-store';
import { PROMPT_COLUMNS, promptOf, storedActionOf, toColumn } from './prompt-rows';
import type { PromptRow } from './prompt-rows';

/** A code is not used again while somebody may still have it before their eyes. */
const CODE_RESTS_MS = 60 * 60 * 1_000;

type Transaction = Prisma.TransactionClient;

export class PrismaPrompts extends Prompts {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  override ask(
    prompt: NewPrompt,
    word: (isTaken: (code: string) => boolean) => Wording,
    record: (replaced: readonly Replaced[]) => Promise<void>,
  ): Promise<Prompt> {
    return fromStore(
      this.prisma.$transaction(async (tx) => {
        // One prompt at a time in a room: none is missed when it is replaced, and no code is given twice.
        await tx.$executeRaw`
          SELECT pg_advisory_xact_lock(hashtextextended(${`confirmation ${prompt.instance} ${prompt.room}`}, 0))`;
        const known = await findKnown(tx, prompt);
        if (known) return known;
        const taken = await takenCodes(tx, prompt);
        const wording = word((code) => taken.has(code));
        const replaced = await replaceOpen(tx, prompt);
        await insert(tx, prompt, wording);
        await record(replaced);
        return asked(prompt, wording);
      }, CHANGE),
    );
  }

  override async concerning({ instance, bot, room, sub, id }: AttestedMessage): Promise<Prompt[]> {
    const rows = await fromStore(
      this.prisma.$queryRaw<PromptRow[]>`
        SELECT ${PROMPT_COLUMNS} FROM confirmations c
        WHERE c.instance = ${instance} AND c.room = ${room} AND c.sub = ${sub} AND c.bot = ${bot}
          AND (c.state = 'asked' OR (c.state = 'expired' AND NOT c.told) OR c.answer = ${id})
        ORDER BY c.created_at DESC`,
    );
    return rows.map(promptOf);
  }

  override async posted(id: string, at: number): Promise<void> {
    await fromStore(
      this.prisma.confirmation.updateMany({
        where: { id, postedAt: null },
        data: { postedAt: new Date(at) },
      }),
    );
  }

  override end(
    id: string,
    { state, answer, told, at }: Ending,
    record: Recording,
  ): Promise<StoredAction[] | undefined> {
    return fromStore(
      this.prisma.$transaction(async (tx) => {
        const { count } = await tx.confirmation.updateMany({
          where: {
            id,
            OR: [
              { state: 'asked' },
              ...(state === 'expired' && told ? [{ state: 'expired', told: false }] : []),
            ],
          },
          data: { state, answer, told, answeredAt: new Date(at), text: '' },
        });
        if (count === 0) return undefined;
        const [actions] = await Promise.all([
          state === 'approved' ? findActions(tx, id) : emptyActions(tx, [id]).then(() => []),
          record(),
        ]);
        return actions;
      }, CHANGE),
    );
  }

  override async actionsOf(id: string): Promise<StoredAction[]> {
    return fromStore(findActions(this.prisma, id));
  }

  override async openSince(before: number, limit: number): Promise<AgedPrompt[]> {
    const rows = await fromStore(
      this.prisma.$queryRaw<PromptRow[]>`
        SELECT ${PROMPT_COLUMNS} FROM confirmations c
        WHERE c.state = 'asked' AND coalesce(c.posted_at, c.created_at) < ${new Date(before)}
        ORDER BY c.created_at LIMIT ${limit}`,
    );
    return rows.map(promptOf);
  }

  override async forget(before: number): Promise<number> {
    const { count } = await fromStore(
      this.prisma.confirmation.deleteMany({ where: { createdAt: { lt: new Date(before) } } }),
    );
    return count;
  }
}

const findActions = async (
  store: Pick<Transaction, 'confirmationAction'>,
  id: string,
): Promise<StoredAction[]> => {
  const rows = await store.confirmationAction.findMany({
    where: { confirmationId: id },
    orderBy: { n: 'asc' },
  });
  return rows.map(storedActionOf);
};

const findKnown = async (tx: Transaction, prompt: NewPrompt): Promise<Prompt | undefined> => {
  const [row] = await tx.$queryRaw<PromptRow[]>`
    SELECT ${PROMPT_COLUMNS} FROM confirmations c
    WHERE c.instance = ${prompt.instance} AND c.bot = ${prompt.bot} AND c.room = ${prompt.room}
      AND c.message = ${prompt.message} AND c.digest = ${prompt.digest}`;
  return row && promptOf(row);
};

const takenCodes = async (
  tx: Transaction,
  { instance, room, createdAt }: NewPrompt,
): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ code: string }[]>`
    SELECT code FROM confirmations WHERE instance = ${instance} AND room = ${room}
      AND (state = 'asked' OR created_at > ${new Date(createdAt - CODE_RESTS_MS)})`;
  return new Set(rows.map(({ code }) => code));
};

/** Of any bot and thread; an expiry that was not told yet is overtaken too. */
const replaceOpen = async (
  tx: Transaction,
  { instance, room, sub, createdAt }: NewPrompt,
): Promise<Replaced[]> => {
  const place = Prisma.sql`instance = ${instance} AND room = ${room} AND sub = ${sub}`;
  await tx.$executeRaw`UPDATE confirmations SET told = true WHERE ${place} AND state = 'expired' AND NOT told`;
  const replaced = await tx.$queryRaw<Replaced[]>`
    UPDATE confirmations SET state = 'replaced', text = '', answered_at = ${new Date(createdAt)}
    WHERE ${place} AND state = 'asked' RETURNING id, bot, message`;
  await emptyActions(
    tx,
    replaced.map(({ id }) => id),
  );
  return replaced;
};

const emptyActions = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await tx.confirmationAction.updateMany({
    where: { confirmationId: { in: [...ids] } },
    data: { action: Prisma.DbNull },
  });
};

const insert = async (tx: Transaction, prompt: NewPrompt, { code, text }: Wording): Promise<void> => {
  const { actions, thread, createdAt, ...row } = prompt;
  await tx.confirmation.create({
    data: { ...row, thread: thread ?? null, code, text, createdAt: new Date(createdAt) },
  });
  await tx.confirmationAction.createMany({
    data: actions.map(({ action, hash, title }, index) => ({
      confirmationId: prompt.id,
      n: index + 1,
      provider: action.provider,
      tool: action.tool,
      hash,
      title,
      action: toColumn(action),
    })),
  });
};

const asked = (
  { actions, digest: _digest, createdAt: _createdAt, ...prompt }: NewPrompt,
  wording: Wording,
): Prompt => ({
  ...prompt,
  ...wording,
  state: 'asked',
  postedAt: null,
  answer: null,
  told: false,
  titles: actions.map(({ title }) => title),
});
