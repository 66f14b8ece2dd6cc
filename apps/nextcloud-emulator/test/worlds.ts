import { buildWorld } from '../src/world/build-world';
import { parseFixture } from '../src/world/fixture';
import type { FixtureInput } from '../src/world/fixture';
import type { Room, World } from '../src/world/world';

/** 2 March 2026, 09:15 UTC. */
export const NOW = Date.UTC(2026, 2, 2, 9, 15);

export function worldOf(fixture: FixtureInput): World {
  return buildWorld(parseFixture(fixture), NOW);
}

export function emptyWorld(nextcloud: string): World {
  return worldOf({ nextcloud: { version: nextcloud } });
}

export const BOT_SECRET = 'a-bot-secret-that-is-long-enough-for-talk-0001';

/** Alice, Bob, "alice smith", a guest and a federated user in the room "Team". */
export function teamWorld(nextcloud = '32.0.1', botUrl = 'https://bot.example.org/hook'): World {
  return worldOf(teamFixture(nextcloud, botUrl));
}

export function teamFixture(nextcloud: string, botUrl: string): FixtureInput {
  return {
    nextcloud: { version: nextcloud },
    users: [
      { id: 'alice', displayName: 'Alice Adams', password: 'alice-password', groups: ['staff'] },
      { id: 'bob', displayName: 'Bob Brown', password: 'bob-password' },
      { id: 'alice smith', displayName: 'Alice Smith' },
    ],
    bots: [
      { name: 'Helper', secret: BOT_SECRET, url: botUrl, features: ['webhook', 'response', 'reaction'] },
    ],
    rooms: [
      {
        token: 'x7k2m9pq',
        name: 'Team',
        members: ['users/alice', 'users/bob', 'guests/7f3a', 'federated_users/dana@other.example.org'],
        bots: ['Helper'],
      },
    ],
    files: { alice: { '/Docs/plan.pdf': 'plan' } },
  };
}

export function roomOf(world: World, token = 'x7k2m9pq'): Room {
  const room = world.rooms.get(token);
  if (!room) throw new Error(`The fixture has no room ${token}`);
  return room;
}
