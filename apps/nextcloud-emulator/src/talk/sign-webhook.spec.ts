import { phpJson } from '../http/php-json';
import type { Bot, Room } from '../world/world';
import { membershipActivity } from './bot-activity';
import { talkSignature, webhookHeaders, webhookRandom } from './sign-webhook';
import { emptyWorld } from '../../test/worlds';

const SECRET = 's3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-01';

describe('Talk signatures', () => {
  it('fit the known webhook, byte for byte', () => {
    const room: Room = {
      id: 1,
      token: 'x7k2m9pq',
      name: 'Team ☕',
      type: 'group',
      members: [],
      botIds: new Set(),
      messages: [],
    };
    const bot = { name: 'Helper', url: 'https://bot.example.org/hook' } as Bot;
    const stage = { world: emptyWorld('27.1.0'), room, baseUrl: 'https://cloud.example.org', now: 0 };
    const body = phpJson(membershipActivity(stage, 'Join', bot));
    expect(body).toBe(
      '{"type":"Join","actor":{"type":"Application","id":"bots\\/bot-09e2fc83b4e0618e2dbcdfe0152988d095d18209","name":"Helper"},"object":{"type":"Collection","id":"x7k2m9pq","name":"Team \\u2615"}}',
    );
    expect(talkSignature(SECRET, `${'A'.repeat(60)}b+/9`, body)).toBe(
      '898a497cb5fb4f7695b05dc3b68b1cf8466db1b2b894dd5213836828f226c7de',
    );
  });

  it('fit the known message of a bot, over the decoded value', () => {
    expect(talkSignature(SECRET, '0123456789abcdef0123456789abcdef', 'Hällo **Bob** 👍')).toBe(
      '56a8a1d74dbc372f91356f76e43ada4be07590eb85598a302e883d69b9c7a824',
    );
  });

  it('take a fresh random of 64 characters each time', () => {
    const [first, second] = [webhookRandom(), webhookRandom()];
    expect(first).toMatch(/^[A-Za-z0-9+/]{64}$/);
    expect(second).not.toBe(first);
  });

  it('stand in the headers beside the backend', () => {
    const headers = webhookHeaders(SECRET, 'https://cloud.example.org/', 'r'.repeat(64), Buffer.from('{}'));
    expect(headers).toMatchObject({
      'X-Nextcloud-Talk-Random': 'r'.repeat(64),
      'X-Nextcloud-Talk-Signature': talkSignature(SECRET, 'r'.repeat(64), '{}'),
      'X-Nextcloud-Talk-Backend': 'https://cloud.example.org/',
      'OCS-APIRequest': 'true',
    });
  });
});
