import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startEmulator } from '../src';
import type { Emulator } from '../src';

const SECRET = 'a-bot-secret-that-is-long-enough-for-talk-0001';

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe('a message that a bot answers', () => {
  let bot: Server;
  let emulator: Emulator;
  let received: Received[];

  beforeAll(async () => {
    bot = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(200).end();
      });
    });
    bot.listen(0, '127.0.0.1');
    await once(bot, 'listening');
    emulator = await startEmulator({
      fixture: {
        users: [{ id: 'alice', displayName: 'Alice Adams' }],
        bots: [
          {
            name: 'NuQ',
            secret: SECRET,
            url: `http://127.0.0.1:${(bot.address() as AddressInfo).port}/hook`,
          },
        ],
        rooms: [{ token: 'x7k2m9pq', name: 'Team', members: ['users/alice'], bots: ['NuQ'] }],
      },
    });
  });

  beforeEach(() => {
    received = [];
    emulator.reset();
  });

  afterAll(async () => {
    await emulator.close();
    bot.close();
  });

  const say = (body: object) =>
    fetch(`${emulator.url}/_emulator/rooms/x7k2m9pq/messages`, {
      method: 'POST',
      body: JSON.stringify(body),
    });

  it('reaches the bot signed over random and raw bytes', async () => {
    await say({ user: 'alice', text: 'Grüße 👋 a/b' });
    const [delivery] = received;
    const random = String(delivery?.headers['x-nextcloud-talk-random']);
    expect(random).toMatch(/^[A-Za-z0-9+/]{64}$/);
    const expected = createHmac('sha256', SECRET)
      .update(random)
      .update(delivery?.body ?? '')
      .digest('hex');
    expect(delivery?.headers['x-nextcloud-talk-signature']).toBe(expected);
    expect(delivery?.headers['x-nextcloud-talk-backend']).toBe(`${emulator.url}/`);
    expect(delivery?.body.toString('latin1')).toContain('Gr\\\\u00fc\\\\u00dfe \\\\ud83d\\\\udc4b a\\\\\\/b');
  });

  it('shows the answer of the bot in the transcript', async () => {
    await say({ user: 'alice', text: 'hello' });
    const random = 'r'.repeat(32);
    const message = 'Hällo **Alice** 👍';
    const answer = await fetch(`${emulator.url}/ocs/v2.php/apps/spreed/api/v1/bot/x7k2m9pq/message`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'OCS-APIRequest': 'true',
        'X-Nextcloud-Talk-Bot-Random': random,
        'X-Nextcloud-Talk-Bot-Signature': createHmac('sha256', SECRET)
          .update(random + message)
          .digest('hex'),
      },
      body: JSON.stringify({ message, replyTo: 1, referenceId: 'ref-1' }),
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      ocs: { meta: { status: 'ok', statuscode: 201, message: 'OK' }, data: null },
    });
    const transcript = await fetch(`${emulator.url}/_emulator/rooms/x7k2m9pq/messages?after=1`);
    expect(await transcript.json()).toMatchObject({
      messages: [
        {
          id: 2,
          actorType: 'bots',
          actorDisplayName: 'NuQ (Bot)',
          message,
          replyTo: 1,
          referenceId: 'ref-1',
        },
      ],
    });
  });
});
