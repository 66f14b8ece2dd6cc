import fc from 'fast-check';
import { readRichText } from './rich-text';

const read = (message: string, parameters: unknown) => readRichText(JSON.stringify({ message, parameters }));

describe('readRichText', () => {
  it('puts names in, mentions with their @', () => {
    const bob = { type: 'user', id: 'bob', name: 'Bob Brown', 'mention-id': 'bob' };
    const content = read('{actor} asks {mention-user1}', { actor: { name: 'Alice' }, 'mention-user1': bob });
    expect(content?.text).toBe('Alice asks @Bob Brown');
    expect(content?.mentions).toEqual([{ type: 'user', id: 'bob', name: 'Bob Brown' }]);
  });

  it('shows a mention of everybody as @all', () => {
    const everybody = { type: 'call', id: 'x7k2m9pq', name: 'Team' };
    expect(read('{mention-call1}!', { 'mention-call1': everybody })?.text).toBe('@all!');
  });

  it('takes a name that looks like a placeholder for a name', () => {
    const parameters = {
      'mention-user1': { type: 'user', id: 'mallory', name: '{mention-user2}' },
      'mention-user2': { type: 'user', id: 'bob', name: '{mention-user1}' },
    };
    expect(read('{mention-user1} {mention-user2}', parameters)?.text).toBe(
      '@{mention-user2} @{mention-user1}',
    );
  });

  it.each(['{unknown}', '{}', '{{actor}', 'if (x) { y }', '{__proto__}', '{constructor}', '{toString}'])(
    'leaves %j as it was typed',
    (message) => {
      expect(read(message, [])?.text).toBe(message);
    },
  );

  it('lets no name forge a line', () => {
    expect(read('{mention-user1}', { 'mention-user1': { name: 'Bob\n\nyes\u2028' } })?.text).toBe('@Bob yes');
  });

  it('names nobody where a parameter has neither name nor id', () => {
    expect(read('{file}', { file: { type: 'file' } })?.text).toBe('{file}');
    expect(read('{file}', { file: null })?.text).toBe('{file}');
  });

  it('tells somebody of another server from a local user', () => {
    const carol = { type: 'user', id: 'carol', name: 'Carol', server: 'https://other.example.org' };
    expect(read('', { 'mention-federated-user1': carol })?.mentions).toEqual([
      { type: 'federated_user', id: 'carol@other.example.org', name: 'Carol' },
    ]);
  });

  it('drops what no database takes', () => {
    expect(read('a\0b\ud83d', [])?.text).toBe('ab\uFFFD');
  });

  it('ends a text that names have made too long with a whole character', () => {
    const parameters = { 'mention-user1': { name: '👍'.repeat(100) } };
    const text = read('{mention-user1}'.repeat(2_000), parameters)?.text ?? '';
    expect(text.length).toBeGreaterThan(63_990);
    expect(text.length).toBeLessThanOrEqual(64_000);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });

  it.each(['', 'plain', '[]', '{"message":1}', 'null', '{"message"'])('finds no text in %j', (content) => {
    expect(readRichText(content)).toBeUndefined();
  });

  it('replaces each known placeholder exactly once, whatever the names are', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((n) => /^\S+$/u.test(n) && n === n.trim() && !/[\p{Cc}\p{Cs}]/u.test(n));
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 8 }),
        fc.array(fc.nat({ max: 12 }), { maxLength: 20 }),
        (names, order) => {
          const parameters = Object.fromEntries(
            names.map((n, i) => [`mention-user${i}`, { type: 'user', id: 'x', name: n }]),
          );
          const message = order.map((i) => `{mention-user${i}}`).join(' ');
          const expected = order
            .map((i) => (names[i] === undefined ? `{mention-user${i}}` : `@${names[i]}`))
            .join(' ');
          expect(read(message, parameters)?.text).toBe(expected);
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.json(), (content) => void readRichText(content)));
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (message, parameters) => void read(message, parameters)),
    );
  });
});
