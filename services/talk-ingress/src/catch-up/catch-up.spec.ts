import { generateKeyPairSync } from 'node:crypto';
import type { ChatEventBody, HistoryMessage, RoomHistoryPage } from '@nuqloud/contracts';
import { AppError, createLogger, TokenSigner } from '@nuqloud/platform';
import { eventually } from '@nuqloud/testing';
import type { Bot } from '../bots/bot-directory';
import { KnownMessages } from '../ports/known-messages';
import type { KnownUpTo } from '../ports/known-messages';
import type { StoreEvent } from '../store-event/store-event';
import { CatchUp } from './catch-up';
import { NoteKnown } from './note-known';

const NOW = Date.parse('2026-03-02T09:15:00Z');
const logger = createLogger({ service: 'talk-ingress', level: 'silent' });
const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const signer = new TokenSigner('talk-ingress', { kid: 'k', kty: 'OKP', crv: 'Ed25519', x, d });

const message = (id: number, secondsAgo: number): HistoryMessage => ({
  ...{ id, actorType: 'users', actorId: 'alice', actorDisplayName: 'Alice', message: `text ${id}` },
  ...{
    messageParameters: [],
    systemMessage: '',
    messageType: 'comment',
    timestamp: NOW / 1_000 - secondsAgo,
  },
});

class Marks extends KnownMessages {
  readonly raised: KnownUpTo[] = [];
  readonly forgotten: string[] = [];

  constructor(private readonly kept: KnownUpTo[]) {
    super();
  }
  all() {
    return Promise.resolve(this.kept);
  }
  raise(marks: readonly KnownUpTo[]) {
    this.raised.push(...marks);
    return Promise.resolve();
  }
  forget({ bot }: { bot: string }) {
    this.forgotten.push(bot);
    return Promise.resolve();
  }
}

const markOf = (bot: string, at: bigint, room = 'room1'): KnownUpTo => ({
  instance: 'default',
  bot,
  room,
  message: at,
});

/** Plays the pages in order; an error is one, too. */
const run = async (marks: Marks, pages: (RoomHistoryPage | AppError)[]) => {
  const stored: ChatEventBody[] = [];
  const asked: string[] = [];
  const events = { store: (event: ChatEventBody) => (stored.push(event), Promise.resolve()) };
  const history = {
    after: (_instance: string, _room: string, after: string) => {
      asked.push(after);
      const page = pages.shift() ?? { v: 1, messages: [], next: null };
      return page instanceof AppError ? Promise.reject(page) : Promise.resolve(page);
    },
  };
  const bots = {
    find: (slug: string): Bot | undefined =>
      slug === 'gone'
        ? undefined
        : { slug, instance: 'default', instanceUrl: '', isAppBot: false, secret: '' },
  };
  let isOver = false;
  const over = { start: () => void (isOver = true) };
  const catchUp = new CatchUp(
    marks,
    history,
    bots,
    signer,
    events as unknown as StoreEvent,
    over,
    logger,
    () => NOW,
  );
  catchUp.start();
  await eventually(() => isOver, { describe: 'the end of the catching up', deadlineMs: 10_000 });
  await catchUp.stop();
  return { stored, asked };
};

const page = (next: string | null, ...messages: HistoryMessage[]): RoomHistoryPage => ({
  v: 1,
  messages,
  next,
});
const seen = (stored: readonly ChatEventBody[]) =>
  stored.map((event) => [event.bot, 'messageId' in event ? event.messageId : '']);

describe('catching up', () => {
  it('takes for each bot what came after what it knows, in order, page by page', async () => {
    const marks = new Marks([markOf('nuq', 5n), markOf('helper', 6n), markOf('gone', 5n)]);
    const { stored, asked } = await run(marks, [page('6', message(6, 60)), page('7', message(7, 30))]);
    expect(asked).toEqual(['5', '6', '7']);
    expect(seen(stored)).toEqual([
      ['nuq', '6'],
      ['nuq', '7'],
      ['helper', '7'],
    ]);
  });

  it('attests when Nextcloud says that it was written, and how we know', async () => {
    const { stored } = await run(new Marks([markOf('nuq', 5n)]), [page('6', message(6, 90))]);
    const [event] = stored;
    if (event?.kind !== 'message') throw new Error('no message');
    expect(event.receivedAt).toBe('2026-03-02T09:13:30.999Z');
    const claims = JSON.parse(
      Buffer.from(event.attestation.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(claims).toMatchObject({
      sub: 'users/alice',
      fromHistory: true,
      at: NOW - 90_000 + 999,
      iat: NOW / 1_000 - 90,
    });
  });

  it('leaves what is older than an attestation may be', async () => {
    const pages = [page('7', message(6, 31 * 60), message(7, 29 * 60))];
    expect(seen((await run(new Marks([markOf('nuq', 5n)]), pages)).stored)).toEqual([['nuq', '7']]);
  });

  it('tries again what may pass, and leaves a room that nobody may read', async () => {
    const passing = new AppError('BUS.NO_RESPONDERS', 'away', { retryable: true });
    const { stored } = await run(new Marks([markOf('nuq', 5n)]), [passing, page('6', message(6, 60))]);
    expect(seen(stored)).toEqual([['nuq', '6']]);
    const lasting = new AppError('GATEWAY.NO_HISTORY_READER', 'none');
    expect((await run(new Marks([markOf('nuq', 5n)]), [lasting])).asked).toEqual(['5']);
  });
});

describe('what is known', () => {
  const event = (id: string): ChatEventBody => ({
    ...{ v: 1, instance: 'default', bot: 'nuq', room: 'room1', roomName: '', kind: 'system', name: 'x' },
    ...{ receivedAt: new Date(NOW).toISOString(), messageId: id },
    actor: { type: 'users', id: 'alice', name: '', moderator: false },
  });

  it('is the latest message, and nothing once the bot has left', async () => {
    const marks = new Marks([]);
    const known = new NoteKnown(marks, logger);
    known.start();
    for (const id of ['10', '9']) known.note(event(id));
    await known.stop();
    expect(marks.raised).toEqual([markOf('nuq', 10n)]);
    known.note(event('11'));
    known.note({
      ...{ v: 1, instance: 'default', bot: 'nuq', room: 'room1', roomName: '', kind: 'left' },
      ...{ receivedAt: new Date(NOW).toISOString(), random: 'x'.repeat(64) },
    });
    await known.stop();
    expect([marks.raised, marks.forgotten]).toEqual([[markOf('nuq', 10n)], ['nuq']]);
  });

  it('is not noted while something before it may still be unread', async () => {
    const marks = new Marks([]);
    const known = new NoteKnown(marks, logger);
    known.note(event('10'));
    await known.stop();
    expect(marks.raised).toEqual([]);
  });
});
