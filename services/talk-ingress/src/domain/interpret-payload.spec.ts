import { ATTESTATION_TTL_S, AttestationClaims, ChatEventBody, quotationToHash } from '@nuqloud/contracts';
import { sha256 } from '@nuqloud/platform';
import fc from 'fast-check';
import { TALK_PAYLOADS } from '../../test/talk-payloads';
import type { AttestedEvent } from './attestation-claims';
import { attestationClaims, isAttested } from './attestation-claims';
import { interpretPayload } from './interpret-payload';
import type { Interpretation } from './interpret-payload';
import { streamMessageId } from './stream-message-id';

const interpret = (name: keyof typeof TALK_PAYLOADS): Interpretation =>
  interpretPayload(JSON.parse(TALK_PAYLOADS[name]));

const ACTIVITIES = [
  ...(['systemUserAdded', 'systemHistoryCleared', 'systemEdited', 'systemDeleted'] as const),
  ...(['fileTalk22', 'fileTalk23', 'filePhoto', 'fileCaptionYes', 'poll'] as const),
];
const alice = { type: 'users', id: 'alice', name: 'Alice Adams', moderator: false };
const bob = { type: 'users', id: 'bob', name: 'Bob Brown', moderator: false };
const room = { room: 'x7k2m9pq', roomName: 'Team' };
const plan = { fileId: '4711', name: 'plan.pdf', mimetype: 'application/pdf', size: 20_480 };
const mentionOfBob = { type: 'user', id: 'bob', name: 'Bob Brown' };

describe('interpretPayload', () => {
  it('reads a message of Talk 17 to 20', () => {
    expect(interpret('messageTalk17')).toEqual({
      event: {
        kind: 'message',
        ...room,
        actor: alice,
        messageId: '1567',
        text: 'Grüße @Bob Brown ☕',
        mentions: [mentionOfBob],
      },
    });
  });

  it('reads a reply and a moderator since Talk 21', () => {
    expect(interpret('messageTalk21')).toEqual({
      event: {
        kind: 'message',
        ...room,
        actor: { ...alice, moderator: true },
        messageId: '1567',
        text: 'Hi @Bob Brown, see @all',
        mentions: [mentionOfBob, { type: 'call', id: 'x7k2m9pq', name: 'Team' }],
        replyTo: {
          messageId: '1560',
          actor: { type: 'bots', id: 'bot-09e2fc83b4e0618e2dbcdfe0152988d095d18209', name: 'Helper' },
          text: 'Which day?',
        },
      },
    });
  });

  it('reads a thread, also when its id is a number', () => {
    expect(interpret('messageTalk25')).toMatchObject({ event: { thread: '1500', messageId: '1568' } });
  });

  it('takes a message that is its own thread for one without a thread', () => {
    const payload = JSON.parse(TALK_PAYLOADS.messageTalk25) as { object: { threadId: unknown } };
    payload.object.threadId = '1568';
    expect(interpretPayload(payload)).toEqual({
      event: expect.not.objectContaining({ thread: expect.anything() }),
    });
  });

  it('keeps the raw name of a conversation of two', () => {
    expect(interpret('messageOneToOne')).toMatchObject({ event: { roomName: '["alice","bob"]' } });
  });

  it.each([
    ['messageGuest', { type: 'guests', id: '7f3a', name: '', moderator: false }],
    [
      'messageFederated',
      { type: 'federated_users', id: 'bob@other.example.org', name: 'Bob', moderator: false },
    ],
    ['messageBridge', { type: 'bridged', id: 'bridge-bot', name: 'carol', moderator: false }],
  ] as const)('keeps the writer of %s apart from local users', (name, actor) => {
    expect(interpret(name)).toMatchObject({ event: { kind: 'message', actor } });
  });

  it.each(['messageBot', 'likeByBot'] as const)('drops %s', (name) => {
    expect(interpret(name)).toEqual({ ignored: 'FROM_A_BOT' });
  });

  it.each([
    ['1', true],
    ['2', true],
    ['6', true],
    [2, true],
    ['3', false],
    ['4', false],
    ['5', false],
    [undefined, false],
    [{}, false],
  ])('participant type %j moderates: %s', (talkParticipantType, moderator) => {
    const payload = JSON.parse(TALK_PAYLOADS.messageTalk21) as { actor: object };
    payload.actor = { ...payload.actor, talkParticipantType };
    expect(interpretPayload(payload)).toMatchObject({ event: { actor: { moderator } } });
  });

  it('reads a file with its caption up to Talk 22', () => {
    expect(interpret('fileTalk22')).toEqual({
      event: {
        kind: 'attachment',
        ...room,
        actor: alice,
        messageId: '1575',
        text: 'Draft for @Bob Brown',
        mentions: [mentionOfBob],
        attachments: [plan],
      },
    });
  });

  it('reads a file without a caption since Talk 23', () => {
    expect(interpret('fileTalk23')).toMatchObject({
      event: { kind: 'attachment', text: '', attachments: [plan] },
    });
  });

  it('reads numbers that come as numbers', () => {
    expect(interpret('filePhoto')).toMatchObject({ event: { attachments: [{ fileId: '4712', size: 123 }] } });
  });

  it.each(['fileGone', 'poll'] as const)('takes %s for no message, whatever it is called', (name) => {
    expect(interpret(name)).toMatchObject({ event: { kind: 'system', name: 'object_shared' } });
  });

  it.each(['fileTalk22', 'fileTalk23', 'filePhoto', 'fileCaptionYes'] as const)(
    'takes the caption of %s for no message',
    (name) => expect(interpret(name)).toMatchObject({ event: { kind: 'attachment' } }),
  );

  it.each([
    ['systemEdited', 'message_edited'],
    ['systemDeleted', 'message_deleted'],
  ] as const)('takes %s for no message, and attests it not', (payload, name) => {
    expect(interpret(payload)).toMatchObject({ event: { kind: 'system', name } });
    expect(isAttested(eventOf(payload))).toBe(false);
  });

  it.each(ACTIVITIES)('takes %s for no message even if Talk called it a Create', (name) => {
    const { kind } = eventOf(name);
    expect(kind).not.toBe('message');
    const payload = { ...(JSON.parse(TALK_PAYLOADS[name]) as object), type: 'Create' };
    expect(interpretPayload(payload)).toMatchObject({ event: { kind } });
  });

  it('names system messages by their identifier', () => {
    expect(interpret('systemUserAdded')).toEqual({
      event: { kind: 'system', ...room, actor: alice, messageId: '1570', name: 'user_added' },
    });
    expect(interpret('systemHistoryCleared')).toMatchObject({ event: { name: 'history_cleared' } });
  });

  it('reads a reaction and its removal by the actor at the top', () => {
    const reaction = { ...room, actor: bob, messageId: '1567', reaction: '👍' };
    expect(interpret('like')).toEqual({ event: { kind: 'reaction_added', ...reaction } });
    expect(interpret('undo')).toEqual({ event: { kind: 'reaction_removed', ...reaction } });
  });

  it('reads the room of Join and Leave from their object', () => {
    expect(interpret('join')).toEqual({ event: { kind: 'joined', room: 'x7k2m9pq', roomName: 'Team ☕' } });
    expect(interpret('leave')).toEqual({ event: { kind: 'left', ...room } });
  });

  it.each([[null], [42], ['Create'], [[]], [{}], [{ type: 'Delete' }], [{ type: { $gt: '' } }]])(
    'does not know %j',
    (payload) => {
      expect(interpretPayload(payload)).toEqual({ ignored: 'UNKNOWN_TYPE' });
    },
  );

  it.each([
    ['no actor', { actor: undefined }],
    ['an actor that names nobody', { actor: { type: 'Person', id: 'alice', name: 'Alice' } }],
    ['a room token that would be a bus wildcard', { target: { id: '*', name: 'Team' } }],
    ['a message id that is no number', { object: { id: 'x', name: 'message', content: '{"message":"a"}' } }],
    ['content that is no JSON', { object: { id: '1', name: 'message', content: 'Hi' } }],
  ])('cannot read %s', (_what, change) => {
    const payload = { ...(JSON.parse(TALK_PAYLOADS.messageTalk21) as object), ...change };
    expect(interpretPayload(payload)).toEqual({ ignored: 'UNREADABLE' });
  });

  it('keeps a message whose quote cannot be read', () => {
    const payload = JSON.parse(TALK_PAYLOADS.messageTalk21) as { object: object };
    payload.object = { ...payload.object, inReplyTo: { actor: 7 } };
    const interpretation = interpretPayload(payload);
    expect(interpretation).toMatchObject({ event: { kind: 'message' } });
    expect(interpretation).not.toHaveProperty('event.replyTo');
  });

  it('never throws, and what it reads fits the contract', () => {
    const names = Object.keys(TALK_PAYLOADS) as (keyof typeof TALK_PAYLOADS)[];
    const broken = fc
      .tuple(fc.constantFrom(...names), fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 3 }))
      .map(([name, changes]) =>
        changes.reduce(
          (json, [at, value]) => replaceOne(json, at, value),
          JSON.parse(TALK_PAYLOADS[name]) as unknown,
        ),
      );
    fc.assert(
      fc.property(fc.oneof(broken, fc.jsonValue()), (payload) => {
        const interpretation = interpretPayload(payload);
        if ('ignored' in interpretation) return;
        const base = {
          v: 1,
          instance: 'default',
          bot: 'nuq',
          receivedAt: new Date(0).toISOString(),
          attestation: 'x',
          random: 'r'.repeat(64),
        };
        expect(ChatEventBody.safeParse({ ...interpretation.event, ...base }).error).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The JSON with its n-th value (at any depth) replaced. */
const replaceOne = (json: unknown, at: number, value: unknown): unknown => {
  const text = JSON.stringify(json);
  let count = 0;
  JSON.parse(text, (_key, old: unknown) => {
    count += 1;
    return old;
  });
  let index = 0;
  return JSON.parse(text, (_key, old: unknown) => (index++ === at % count ? value : old));
};

const bot = { slug: 'nuq', instance: 'default' };
const RANDOM = 'r'.repeat(64);
const eventOf = (name: keyof typeof TALK_PAYLOADS) => {
  const interpretation = interpret(name);
  if ('ignored' in interpretation) throw new Error(interpretation.ignored);
  return interpretation.event;
};

describe('attestationClaims', () => {
  it('says who wrote what, by our clock', () => {
    const claims = attestationClaims(eventOf('messageTalk25') as AttestedEvent, bot, 1_800_000_000_250);
    expect(claims).toEqual({
      aud: 'nuqloud-services',
      sub: 'users/alice',
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      thread: '1500',
      message: '1568',
      kind: 'message',
      textHash: '85a39ab345d672ff8ca9b9c6876f3adcacf45ee7c1e2dbd2408fd338bd55e07e', // SHA-256 of "Yes"
      at: 1_800_000_000_250,
      iat: 1_800_000_000,
      exp: 1_800_000_000 + ATTESTATION_TTL_S,
    });
    expect(AttestationClaims.safeParse({ ...claims, iss: 'talk-ingress' }).success).toBe(true);
  });

  it('hashes the text with its names put in, and names the message replied to', () => {
    const claims = attestationClaims(eventOf('messageTalk17') as AttestedEvent, bot, 0);
    // SHA-256 of "Grüße @Bob Brown ☕"
    expect(claims.textHash).toBe('88c3b9729ed2beb2f773dd98414d3284937aadcfe89990d9a27514255fa2325e');
    expect(attestationClaims(eventOf('messageTalk21') as AttestedEvent, bot, 0).replyTo).toBe('1560');
  });

  it('covers what a reply quotes: its id, its writer and its text', () => {
    const claims = attestationClaims(eventOf('messageTalk21') as AttestedEvent, bot, 0);
    // SHA-256 of ["1560","bots","bot-09e2fc83b4e0618e2dbcdfe0152988d095d18209","Which day?"]
    expect(claims.quotedHash).toBe('75c3539a1d589728d02a2ce5f849ed2aacf2e7d186b8de59fe94f4df4869b608');
  });

  it('says nothing of a quotation where there is none', () => {
    for (const name of ['messageTalk17', 'messageTalk25', 'fileTalk22', 'like'] as const) {
      const claims = attestationClaims(eventOf(name) as AttestedEvent, bot, 0);
      expect(claims).not.toHaveProperty('quotedHash');
      expect(claims).not.toHaveProperty('replyTo');
    }
  });

  it('agrees with the event as anybody reads it from the bus, whatever is quoted', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const quoted = fc.record({ id, name: fc.string(), text: fc.string({ unit: 'binary' }) });
    let compared = 0;
    fc.assert(
      fc.property(quoted, ({ id: writer, name, text }) => {
        const payload = JSON.parse(TALK_PAYLOADS.messageTalk21) as {
          object: { inReplyTo: { actor: object; object: object } };
        };
        const { actor, object } = payload.object.inReplyTo;
        Object.assign(actor, { id: `users/${writer}`, name });
        Object.assign(object, { content: JSON.stringify({ message: text, parameters: [] }) });
        const interpretation = interpretPayload(payload);
        if ('ignored' in interpretation) throw new Error(interpretation.ignored);
        const claims = attestationClaims(interpretation.event as AttestedEvent, bot, 0);
        const stored = {
          v: 1,
          ...bot,
          bot: bot.slug,
          receivedAt: new Date(0).toISOString(),
          attestation: 'x',
        };
        const wire = Buffer.from(JSON.stringify({ ...interpretation.event, ...stored }));
        const read = ChatEventBody.parse(JSON.parse(wire.toString('utf8')));
        if (read.kind !== 'message') throw new Error(read.kind);
        expect(read.replyTo && sha256(quotationToHash(read.replyTo))).toBe(claims.quotedHash);
        expect(read.replyTo?.messageId).toBe(claims.replyTo);
        if (read.replyTo) compared += 1;
      }),
      { numRuns: 1_000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  it('is of the kind message for nothing but a message', () => {
    const names = Object.keys(TALK_PAYLOADS) as (keyof typeof TALK_PAYLOADS)[];
    const attested = names.filter((name) => {
      const interpretation = interpret(name);
      if ('ignored' in interpretation || !isAttested(interpretation.event)) return false;
      return attestationClaims(interpretation.event, bot, 0).kind === 'message';
    });
    expect(attested).toEqual(names.filter((name) => name.startsWith('message') && name !== 'messageBot'));
  });

  it('hashes the emoji of a reaction', () => {
    const claims = attestationClaims(eventOf('like') as AttestedEvent, bot, 0);
    expect(claims).toMatchObject({
      kind: 'reaction_added',
      sub: 'users/bob',
      textHash: '5d57d39e6b7d8ea050980e6665bb1da357db14249d74e122f7d4e8cc2253beff',
    });
  });
});

describe('streamMessageId', () => {
  it.each([
    ['messageTalk17', 'default:nuq:x7k2m9pq:message:1567'],
    ['fileTalk23', 'default:nuq:x7k2m9pq:attachment:1576'],
    ['systemUserAdded', 'default:nuq:x7k2m9pq:system:1570'],
    ['like', `default:nuq:x7k2m9pq:reaction_added:1567:${RANDOM}`],
    ['undo', `default:nuq:x7k2m9pq:reaction_removed:1567:${RANDOM}`],
    ['join', `default:nuq:x7k2m9pq:joined:${RANDOM}`],
  ] as const)('of %s is %s', (name, id) => {
    expect(streamMessageId(eventOf(name), bot, RANDOM)).toBe(id);
  });
});
