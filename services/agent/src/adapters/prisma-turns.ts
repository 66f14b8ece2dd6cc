import { Injectable } from '@nestjs/common';
import { TurnStep } from '@nuqloud/contracts';
import { Prisma, PrismaClient } from '@nuqloud/database';
import type { RememberedEntry } from '../domain/prompt';
import type { ReceiptChanges } from '../ports/receipts';
import type { InboxItem, Lease } from '../ports/rooms';
import { LeaseLost, Turns } from '../ports/turns';
import type { ConversationKey, EndedTurn, NewEntry, Turn } from '../ports/turns';
import { heldBy } from './lease-guard';

interface TurnRow {
  id: string;
  started_at: Date;
  deadline_at: Date;
  tries: number;
}

@Injectable()
export class PrismaTurns extends Turns {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async open(
    lease: Lease,
    key: ConversationKey,
    item: InboxItem,
    limits: { now: Date; maxMs: number; id: string },
  ): Promise<Turn> {
    const deadline = new Date(limits.now.getTime() + limits.maxMs);
    const [row] = await this.prisma.$queryRaw<TurnRow[]>(Prisma.sql`
      WITH ${heldBy(lease)}
      INSERT INTO agent_turns (id, instance, bot, room, thread, inbox_id, started_at, deadline_at)
      SELECT ${limits.id}::uuid, ${key.instance}, ${key.bot}, ${key.room}, ${key.thread ?? null}, ${item.id},
             ${limits.now}, ${deadline} FROM held
      ON CONFLICT (inbox_id) DO UPDATE SET tries = agent_turns.tries + 1
      RETURNING id, started_at, deadline_at, tries`);
    if (!row) throw new LeaseLost();
    const steps = row.id === limits.id ? [] : await this.steps(row.id);
    return { id: row.id, startedAt: row.started_at, deadlineAt: row.deadline_at, tries: row.tries, steps };
  }

  async record(lease: Lease, turnId: string, steps: ReadonlyMap<number, TurnStep>): Promise<void> {
    const rows = [...steps].map(([n, { kind, request, result }]) => ({ n, kind, request, result }));
    const written = await this.prisma.$executeRaw(Prisma.sql`
      WITH ${heldBy(lease)}
      INSERT INTO agent_turn_steps (turn_id, n, kind, request, result)
      SELECT ${turnId}::uuid, step.n, step.kind, step.request, step.result
      FROM held, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS step (n int, kind text, request jsonb, result jsonb)
      ON CONFLICT (turn_id, n) DO UPDATE SET result = excluded.result`);
    if (written !== steps.size) throw new LeaseLost();
  }

  async hold(lease: Lease): Promise<void> {
    const held = await this.prisma.$queryRaw<unknown[]>(Prisma.sql`WITH ${heldBy(lease)} SELECT 1 FROM held`);
    if (held.length === 0) throw new LeaseLost();
  }

  async end(
    lease: Lease,
    turn: EndedTurn,
    key: ConversationKey,
    entries: readonly NewEntry[],
    receipts: ReceiptChanges,
  ): Promise<void> {
    const rows = entries.map(({ entry, tokens, person }) => ({
      kind: entry.kind,
      person,
      name: entry.kind === 'said' ? entry.name : '',
      role: entry.kind === 'said' ? entry.role : 'bot',
      content: contentOf(entry),
      tokens,
    }));
    const done = receipts.added.map(({ provider, tool, receipt, scope }, n) => ({
      n,
      provider,
      tool,
      receipt,
      scope: scope ?? null,
    }));
    const { undone, undoing } = receipts;
    const [ended] = await this.prisma.$queryRaw<{ ended: bigint }[]>(Prisma.sql`
      WITH ${heldBy(lease)},
      remembered AS (
        INSERT INTO agent_conversation
          (instance, bot, room, thread, kind, person, name, role, content, tokens, created_at)
        SELECT ${key.instance}, ${key.bot}, ${key.room}, ${key.thread ?? ''}, entry.kind, entry.person, entry.name,
               entry.role, entry.content, entry.tokens, now()
        FROM held, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS entry (kind text, person text, name text, role text, content jsonb, tokens int)
      ),
      receipts AS (
        INSERT INTO agent_receipts
          (instance, bot, room, person, turn_id, n, provider, tool, receipt, scope, done_at)
        SELECT ${key.instance}, ${key.bot}, ${key.room}, ${turn.person}, ${turn.id}::uuid, done.n, done.provider,
               done.tool, done.receipt, done.scope, now()
        FROM held, jsonb_to_recordset(${JSON.stringify(done)}::jsonb)
          AS done (n int, provider text, tool text, receipt jsonb, scope jsonb)
        ON CONFLICT (turn_id, n) DO NOTHING
      ),
      undone AS (
        UPDATE agent_receipts SET undone_at = now()
        WHERE id = ${undone ?? null}::bigint AND EXISTS (SELECT 1 FROM held)
      ),
      undoing AS (
        UPDATE agent_receipts SET undoing = ${undoing?.confirmation ?? null}::uuid
        WHERE id = ${undoing?.receipt ?? null}::bigint AND EXISTS (SELECT 1 FROM held)
      ),
      dealt_with AS (
        UPDATE agent_inbox SET state = 'done', event = NULL, done_at = now()
        WHERE id = ${turn.inboxId} AND EXISTS (SELECT 1 FROM held)
      ),
      -- The steps hold texts; what is worth keeping stands in the conversation now.
      emptied AS (
        DELETE FROM agent_turn_steps WHERE turn_id = ${turn.id}::uuid AND EXISTS (SELECT 1 FROM held)
      ),
      ended AS (
        UPDATE agent_turns SET state = ${turn.outcome}, ended_at = now()
        WHERE id = ${turn.id}::uuid AND EXISTS (SELECT 1 FROM held) RETURNING 1
      )
      SELECT count(*) AS ended FROM ended`);
    if (ended?.ended !== 1n) throw new LeaseLost();
  }

  async begun(inboxId: bigint): Promise<boolean> {
    return (await this.prisma.agentTurn.count({ where: { inboxId } })) > 0;
  }

  /** Undefined when a step cannot be read: an unknown version is refused, never guessed. */
  private async steps(turnId: string): Promise<TurnStep[] | undefined> {
    const rows = await this.prisma.agentTurnStep.findMany({ where: { turnId }, orderBy: { n: 'asc' } });
    return TurnStep.array().safeParse(rows.map(({ kind, request, result }) => ({ kind, request, result })))
      .data;
  }
}

const contentOf = (entry: RememberedEntry): object =>
  entry.kind === 'said'
    ? { v: 1, text: entry.text, ...(entry.foreign.length > 0 && { foreign: entry.foreign }) }
    : { v: 1, calls: entry.calls, answers: entry.answers };
