import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { TalkEvent } from '../domain/interpret-payload';
import type { AppStore, BotRoom } from '../ports/app-store';

/** How Talk reaches a bot: by a webhook of its own, or through AppAPI. */
export type Door = 'talk' | 'appapi';

/** Another replica may have learned of another door meanwhile. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/**
 * Remembers through which door Talk last told a bot of a room: what the bot says there is signed with that door's
 * secret. A room that keeps its door costs the database one look a minute.
 */
export class RoomDoors {
  private readonly remembered = new Map<string, { door: Door; until: number }>();

  constructor(
    private readonly store: Pick<AppStore, 'addRoom' | 'dropRoom'>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects: the event counts more than what is remembered of it. */
  async came(through: Door, { instance, slug }: { instance: string; slug: string }, event: TalkEvent) {
    const room = { instance, bot: slug, room: event.room };
    // A bot that leaves by one door may still be there by the other.
    if (event.kind === 'left') return through === 'appapi' ? this.set(room, 'talk') : undefined;
    return this.set(room, through);
  }

  private async set(room: BotRoom, door: Door): Promise<void> {
    const key = JSON.stringify([room.instance, room.bot, room.room]);
    const known = this.remembered.get(key);
    if (known?.door === door && known.until > this.now()) return;
    try {
      await (door === 'appapi' ? this.store.addRoom(room) : this.store.dropRoom(room));
      if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
      this.remembered.set(key, { door, until: this.now() + REMEMBERED_MS });
    } catch (error) {
      this.remembered.delete(key);
      this.logger.error({ event: 'app-bot.door-not-kept', ...room, door, ...describeError(error) });
    }
  }
}
