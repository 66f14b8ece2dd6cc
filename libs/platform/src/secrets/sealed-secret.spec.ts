import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { openSecret, sealSecret } from './sealed-secret';

const KEY = randomBytes(32).toString('base64');
const OTHER_KEY = randomBytes(32).toString('base64');
const text = fc.string({ unit: 'grapheme' });

describe('a sealed secret', () => {
  it('opens under its key and context, whatever it holds', () => {
    fc.assert(
      fc.property(text, text, (plain, context) => {
        expect(openSecret(KEY, sealSecret(KEY, plain, context), context)).toBe(plain);
      }),
    );
  });

  it('does not open in another row', () => {
    fc.assert(
      fc.property(text, text, text, (plain, context, other) => {
        fc.pre(context !== other);
        expect(() => openSecret(KEY, sealSecret(KEY, plain, context), other)).toThrow(
          'belongs to another row',
        );
      }),
    );
  });

  it('does not open under another key, and says that it is the key', () => {
    expect(() => openSecret(OTHER_KEY, sealSecret(KEY, 's', 'c'), 'c')).toThrow('another ENCRYPTION_KEY');
  });

  it('does not open when any character of it was changed', () => {
    const sealed = sealSecret(KEY, 'a Talk secret of some length', 'ingress_bots/nuq');
    fc.assert(
      fc.property(
        fc.nat(sealed.length - 1),
        fc.constantFrom('A', 'z', '0', '-', '.', ' '),
        (at, replacement) => {
          fc.pre(sealed[at] !== replacement);
          const changed = sealed.slice(0, at) + replacement + sealed.slice(at + 1);
          expect(() => openSecret(KEY, changed, 'ingress_bots/nuq')).toThrow('cannot be opened');
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['', 'plain text', 'v1', 'v2.abc.def', 'v1.a.b.c', 'v1..'])(
    'refuses %j, which is none',
    (value) => {
      expect(() => openSecret(KEY, value, 'c')).toThrow('cannot be opened');
    },
  );

  it('differs each time, so that equal secrets cannot be told from the database', () => {
    expect(sealSecret(KEY, 's', 'c')).not.toBe(sealSecret(KEY, 's', 'c'));
  });

  it('shows neither the secret nor the key', () => {
    const sealed = sealSecret(KEY, 'canary-secret', 'c');
    expect(sealed).not.toContain('canary');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('canary');
    expect(() => openSecret(OTHER_KEY, sealed, 'c')).not.toThrow(/canary/);
  });

  it.each(['', 'short', randomBytes(31).toString('base64'), randomBytes(33).toString('base64')])(
    'is not made with a key of another length',
    (key) => {
      expect(() => sealSecret(key, 's', 'c')).toThrow('ENCRYPTION_KEY must be 32 bytes');
    },
  );
});
