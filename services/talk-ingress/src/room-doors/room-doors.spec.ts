import { createLogger } from '@nuqloud/platform';
import type { TalkEvent } from '../domain/interpret-payload';
import type { BotRoom } from '../ports/app-store';
import { RoomDoors } from './room-doors';

const nuq = { instance: 'default', slug: 'nuq' };
const event = (kind: 'joined' | 'left', room = 'x7k2m9pq'): TalkEvent => ({ kind, room, roomName: '' });

const setUp = () => {
  const done: string[] = [];
  const state = { now: 0, isAway: false };
  const keep = (what: string) => (room: BotRoom) => {
    if (state.isAway) return Promise.reject(new Error('away'));
    return Promise.resolve(void done.push(`${what} ${room.bot} in ${room.room}`));
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const doors = new RoomDoors({ addRoom: keep('add'), dropRoom: keep('drop') }, logger, () => state.now);
  return { doors, done, state };
};

describe('RoomDoors', () => {
  it('keeps the door by which Talk came last, and looks once a minute', async () => {
    const { doors, done, state } = setUp();
    await doors.came('appapi', nuq, event('joined'));
    await doors.came('appapi', nuq, event('joined'));
    await doors.came('talk', nuq, event('joined'));
    await doors.came('talk', nuq, event('joined'));
    expect(done).toEqual(['add nuq in x7k2m9pq', 'drop nuq in x7k2m9pq']);
    state.now = 60_000;
    await doors.came('talk', nuq, event('joined'));
    expect(done).toHaveLength(3);
  });

  it('forgets a room that the bot has left by that door, and only by that', async () => {
    const { doors, done } = setUp();
    await doors.came('appapi', nuq, event('joined'));
    await doors.came('talk', nuq, event('left'));
    expect(done).toEqual(['add nuq in x7k2m9pq']);
    await doors.came('appapi', nuq, event('left'));
    expect(done).toEqual(['add nuq in x7k2m9pq', 'drop nuq in x7k2m9pq']);
  });

  it('tries again at the next event when the store was away', async () => {
    const { doors, done, state } = setUp();
    state.isAway = true;
    await doors.came('appapi', nuq, event('joined'));
    state.isAway = false;
    await doors.came('appapi', nuq, event('joined'));
    expect(done).toEqual(['add nuq in x7k2m9pq']);
  });
});
