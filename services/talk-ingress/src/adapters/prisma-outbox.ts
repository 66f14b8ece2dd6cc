import { PostToRoomRequest } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import type { Post } from '../domain/compose-parts';
import { Outbox } from '../ports/outbox';
import type { ClaimedPost, Fate, OutboxPart, OutboxRequest, Retry } from '../ports/outbox';
import { isUniqueViolation } from './unique-violation';

type ClaimedRow = Omit<ClaimedPost, 'post'> & { payload: unknown };

/**
 * The outbox in PostgreSQL. All times by which posts are claimed, put off and forgotten are the database's, so that the
 * clocks of replicas need not agree.
 */
export class PrismaOutbox extends Outbox {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async add(
    request: OutboxRequest,
    parts: readonly OutboxPart[],
  ): Promise<{ duplicate: boolean; parts: number }> {
    try {
      return await this.insert(request, parts);
    } catch (error) {
      // The same key came twice at once. The other one is stored now, and is found.
      if (isUniqueViolation(error)) return this.insert(request, parts);
      throw error;
    }
  }

  /**
   * One statement, hence one transaction. The row of the room stays locked until it commits, so the posts of a room
   * become visible in the order of their sequence.
   */
  private async insert(
    { instance, bot, room, key }: OutboxRequest,
    parts: readonly OutboxPart[],
  ): Promise<{ duplicate: boolean; parts: number }> {
    const rows = parts.map(({ post, referenceId }, part) => ({ part, kind: post.type, post, referenceId }));
    const [known] = await this.prisma.$queryRaw<{ parts: number }[]>`
      WITH known AS (
        SELECT count(*)::int AS parts FROM ingress_posts WHERE instance = ${instance} AND key = ${key}
      ), numbered AS (
        INSERT INTO ingress_rooms (instance, room, last_seq)
        SELECT ${instance}, ${room}, ${parts.length}::bigint FROM known WHERE parts = 0
        ON CONFLICT (instance, room) DO UPDATE SET last_seq = ingress_rooms.last_seq + excluded.last_seq
        RETURNING last_seq
      ), stored AS (
        INSERT INTO ingress_posts (instance, room, seq, bot, key, part, kind, payload, reference_id, next_at)
        SELECT ${instance}, ${room}, last_seq - ${parts.length}::bigint + new.part + 1, ${bot}, ${key}, new.part,
          new.kind, new.post, new."referenceId", date_trunc('milliseconds', now())
        FROM numbered, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS new (part int, kind text, post jsonb, "referenceId" text)
      )
      SELECT parts FROM known`;
    const duplicate = known !== undefined && known.parts > 0;
    return { duplicate, parts: duplicate ? known.parts : parts.length };
  }

  async claim(limit: number, leaseMs: number, at: Date): Promise<ClaimedPost[]> {
    const rows = await this.prisma.$queryRaw<ClaimedRow[]>`
      WITH paused AS (
        SELECT bot FROM ingress_bots WHERE paused_until > now()
      ), heads AS (
        SELECT head.id FROM ingress_posts AS head
        WHERE head.state = 'pending' AND head.next_at <= now()
          AND (head.claimed_until IS NULL OR head.claimed_until < now())
          AND head.bot NOT IN (SELECT bot FROM paused)
          AND NOT EXISTS (
            SELECT 1 FROM ingress_posts AS earlier
            WHERE earlier.state = 'pending' AND earlier.instance = head.instance AND earlier.room = head.room
              AND earlier.seq < head.seq AND earlier.bot NOT IN (SELECT bot FROM paused)
          )
        ORDER BY head.next_at, head.id
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ingress_posts AS post
      SET attempts = post.attempts + 1, claimed_until = now() + ${leaseMs}::int * interval '1 millisecond',
        tried_at = coalesce(post.tried_at, ${at.toISOString()}::timestamptz),
        -- Whoever had claimed it before never said what came of it.
        maybe_posted = post.maybe_posted OR post.claimed_until IS NOT NULL
      FROM heads WHERE post.id = heads.id
      RETURNING post.id, post.instance, post.bot, post.room, post.key, post.part, post.payload, post.attempts,
        post.reference_id AS "referenceId",
        (extract(epoch FROM now() - post.created_at) * 1000)::float8 AS "ageMs",
        EXISTS (
          SELECT 1 FROM ingress_app_rooms AS door
          WHERE door.instance = post.instance AND door.bot = post.bot AND door.room = post.room
        ) AS "throughApp",
        (SELECT sealed_secret FROM ingress_apps AS app WHERE app.instance = post.instance AND app.bot = post.bot)
          AS "sealedAppSecret",
        coalesce((SELECT refusals FROM ingress_bots AS sender WHERE sender.bot = post.bot), 0) AS refusals`;
    return rows.map(({ payload, ...row }) => ({ ...row, post: readPost(payload) }));
  }

  async sent({ id, attempts }: ClaimedPost, at: Date): Promise<void> {
    await this.prisma.$executeRaw`
      WITH done AS (
        UPDATE ingress_posts
        SET state = 'sent', payload = NULL, claimed_until = NULL, final_at = ${at.toISOString()}::timestamptz
        WHERE id = ${id} AND attempts = ${attempts} AND state = 'pending'
        RETURNING bot
      )
      UPDATE ingress_bots AS sender SET refusals = 0, paused_until = NULL
      FROM done WHERE sender.bot = done.bot AND sender.refusals > 0`;
  }

  async failed({ id, attempts }: ClaimedPost, reason: string, maybePosted: boolean): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE ingress_posts
      SET state = 'failed', reason = ${reason}, payload = NULL, claimed_until = NULL, final_at = now(),
        maybe_posted = maybe_posted OR ${maybePosted}
      WHERE id = ${id} AND attempts = ${attempts} AND state = 'pending'`;
  }

  async again({ id, attempts }: ClaimedPost, retry: Retry): Promise<void> {
    const { reason, delayMs, withoutReply, maybePosted } = retry;
    await this.prisma.$executeRaw`
      UPDATE ingress_posts
      SET reason = ${reason}, claimed_until = NULL, maybe_posted = maybe_posted OR ${maybePosted},
        tried_at = CASE WHEN maybe_posted OR ${maybePosted} THEN tried_at END,
        next_at = date_trunc('milliseconds', now()) + ${Math.round(delayMs)}::int * interval '1 millisecond',
        payload = CASE WHEN ${withoutReply} THEN payload - 'replyTo' ELSE payload END
      WHERE id = ${id} AND attempts = ${attempts} AND state = 'pending'`;
  }

  async refused(post: ClaimedPost, reason: string, pauseMs: number): Promise<number> {
    const { id, attempts, instance, room, bot } = post;
    const [result] = await this.prisma.$queryRaw<{ failed: number }[]>`
      WITH mine AS (
        SELECT 1 FROM ingress_posts WHERE id = ${id} AND attempts = ${attempts} AND state = 'pending'
      ), lost AS (
        UPDATE ingress_posts
        SET state = 'failed', reason = ${reason}, payload = NULL, claimed_until = NULL, final_at = now()
        WHERE state = 'pending' AND instance = ${instance} AND room = ${room} AND bot = ${bot}
          AND EXISTS (SELECT 1 FROM mine)
        RETURNING id
      ), paused AS (
        UPDATE ingress_bots
        SET refusals = refusals + 1,
          paused_until = greatest(paused_until, now() + ${pauseMs}::int * interval '1 millisecond')
        WHERE bot = ${bot} AND EXISTS (SELECT 1 FROM mine)
      )
      SELECT count(*)::int AS failed FROM lost`;
    return result?.failed ?? 0;
  }

  /**
   * Posts of one bot in one room are made in the order of their sequence, so what comes later is read below. Another
   * bot's question can be answered with a "yes" as well.
   */
  async fate({ instance, bot, room, key }: OutboxRequest): Promise<Fate> {
    const [fate] = await this.prisma.$queryRaw<Fate[]>`
      WITH prompt AS (
        SELECT max(seq) AS seq, bool_or(state = 'failed') AS failed, bool_and(state = 'sent') AS posted,
          CASE WHEN bool_and(tried_at IS NOT NULL) THEN max(tried_at) END AS tried, max(final_at) AS "at"
        FROM ingress_posts
        WHERE instance = ${instance} AND key = ${key} AND bot = ${bot} AND room = ${room}
      )
      SELECT
        CASE WHEN seq IS NULL THEN 'unknown' WHEN failed THEN 'failed' WHEN posted THEN 'posted' ELSE 'waiting' END
          AS state,
        tried AS "triedAt",
        CASE WHEN posted THEN "at" END AS "postedAt",
        seq IS NULL OR EXISTS (
          SELECT 1 FROM ingress_posts AS other
          WHERE other.instance = ${instance} AND other.room = ${room} AND other.seq > prompt.seq
            AND other.kind = 'message'
            AND other.key <> ${key} AND NOT starts_with(other.key, ${`${key}:`})
            AND (other.state = 'sent' OR other.maybe_posted OR other.claimed_until IS NOT NULL)
        ) AS "othersSince"
      FROM prompt`;
    return fate ?? { state: 'unknown', triedAt: null, postedAt: null, othersSince: true };
  }

  async pause(bot: string, pauseMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE ingress_bots
      SET paused_until = greatest(paused_until, now() + ${pauseMs}::int * interval '1 millisecond')
      WHERE bot = ${bot}`;
  }

  async recentRooms(instance: string, bot: string, limit: number): Promise<string[]> {
    const rows = await this.prisma.ingressPost.groupBy({
      by: ['room'],
      where: { instance, bot },
      _max: { id: true },
      orderBy: { _max: { id: 'desc' } },
      take: limit,
    });
    return rows.map(({ room }) => room);
  }

  async forget(ageMs: number): Promise<void> {
    await this.prisma.$executeRaw`
      DELETE FROM ingress_posts WHERE final_at < now() - ${ageMs}::float8 * interval '1 millisecond'`;
  }
}

/** Stored by an older version in another shape: better failed by name than posted wrong. */
const readPost = (payload: unknown): Post | undefined => {
  const parsed = PostToRoomRequest.shape.post.safeParse(payload);
  return parsed.success ? parsed.data : undefined;
};
