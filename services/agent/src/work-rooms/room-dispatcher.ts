import { Inject, Injectable } from '@nestjs/common';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Inbox } from '../ports/rooms';
import type { RoomKey } from '../ports/rooms';
import { RoomWorker } from './room-worker';

/** Rooms worked on at once by one process. */
const PARALLEL_ROOMS = 64;
/** Finds what a crashed worker, another replica or a failed try left behind. */
const POLL_MS = 1_000;

const STORED = Promise.resolve();
/** Whoever stores it hears of it. */
const ignore = (): void => undefined;

/** Starts a worker for every room with something to do: at once when told so, otherwise by looking. */
@Injectable()
export class RoomDispatcher {
  private readonly working = new Map<string, { again: boolean }>();
  private readonly waiting = new Map<string, RoomKey>();
  private readonly stopping = new AbortController();
  private readonly inHand = new Set<Promise<void>>();
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly worker: RoomWorker,
    private readonly inbox: Inbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.poll = setInterval(() => void this.look(), POLL_MS);
    void this.look();
  }

  /** Takes no further message; a turn in hand stops at its next step and is resumed elsewhere. */
  async stop(): Promise<void> {
    clearInterval(this.poll);
    this.stopping.abort();
    this.waiting.clear();
    await Promise.all(this.inHand);
  }

  /** @param stored what there is to do is being stored: the room can be taken meanwhile */
  nudge({ instance, room }: RoomKey, stored: Promise<unknown> = STORED): void {
    if (this.stopping.signal.aborted) return;
    const name = `${instance}/${room}`;
    if (this.working.has(name)) void this.lookAgain(name, { instance, room }, stored);
    else if (this.working.size >= PARALLEL_ROOMS) this.waiting.set(name, { instance, room });
    else this.begin(name, { instance, room }, stored);
  }

  /** What has come in while a room is worked on is found at the end of that work, or by work of its own. */
  private async lookAgain(name: string, room: RoomKey, stored: Promise<unknown>): Promise<void> {
    await stored.catch(ignore);
    const busy = this.working.get(name);
    if (busy) busy.again = true;
    else this.nudge(room);
  }

  private begin(name: string, room: RoomKey, stored: Promise<unknown>): void {
    this.waiting.delete(name);
    this.working.set(name, { again: false });
    const work = this.run(name, room, stored).finally(() => this.inHand.delete(work));
    this.inHand.add(work);
  }

  private async run(name: string, room: RoomKey, stored: Promise<unknown>): Promise<void> {
    let failed = false;
    try {
      await this.worker.work(room, this.stopping.signal, stored.catch(ignore));
    } catch (error) {
      failed = true;
      if (!this.stopping.signal.aborted) {
        this.logger.warn({
          event: 'room.failed',
          instance: room.instance,
          room: room.room,
          ...describeError(error),
        });
      }
    }
    const again = this.working.get(name)?.again === true;
    this.working.delete(name);
    // After a failure the poll tries again, not this moment's nudge: what is away needs a little time.
    if (again && !failed) this.nudge(room);
    const [next] = this.waiting;
    if (next && this.working.size < PARALLEL_ROOMS && !this.stopping.signal.aborted)
      this.begin(...next, STORED);
  }

  private async look(): Promise<void> {
    try {
      for (const room of await this.inbox.waitingRooms(PARALLEL_ROOMS)) this.nudge(room);
    } catch (error) {
      this.logger.warn({ event: 'inbox.unavailable', ...describeError(error) });
    }
  }
}
