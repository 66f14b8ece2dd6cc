import fc from 'fast-check';
import { TALK_PAYLOADS } from '../../test/talk-payloads';
import { isSignedByTalk, signBotCall } from './talk-signature';

/** The vectors of Talk's two signatures. */
const SECRET = 's3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-01';
const RANDOM = `${'A'.repeat(60)}b+/9`;
const BODY = Buffer.from(TALK_PAYLOADS.join);
const SIGNATURE = '898a497cb5fb4f7695b05dc3b68b1cf8466db1b2b894dd5213836828f226c7de';

describe('isSignedByTalk', () => {
  it('accepts the known signature, in either case', () => {
    expect(isSignedByTalk(SECRET, { random: RANDOM, signature: SIGNATURE, body: BODY })).toBe(true);
    const signature = SIGNATURE.toUpperCase();
    expect(isSignedByTalk(SECRET, { random: RANDOM, signature, body: BODY })).toBe(true);
  });

  it.each([
    ['another secret', `${SECRET}x`, RANDOM, SIGNATURE, BODY],
    ['another random', SECRET, `B${RANDOM.slice(1)}`, SIGNATURE, BODY],
    ['a changed body', SECRET, RANDOM, SIGNATURE, Buffer.concat([BODY, Buffer.from(' ')])],
    ['no signature', SECRET, RANDOM, undefined, BODY],
    ['a cut signature', SECRET, RANDOM, SIGNATURE.slice(1), BODY],
    ['a signature that is no hex', SECRET, RANDOM, `${SIGNATURE.slice(1)}g`, BODY],
    ['no random', SECRET, undefined, SIGNATURE, BODY],
  ])('refuses %s', (_what, secret, random, signature, body) => {
    expect(isSignedByTalk(secret, { random, signature, body })).toBe(false);
  });

  it('refuses a random of any other length, even when it is signed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 100 }), (random) => {
        const signature = signBotCall(SECRET, random, BODY.toString());
        expect(isSignedByTalk(SECRET, { random, signature, body: BODY })).toBe(random.length === 64);
      }),
    );
  });
});

describe('signBotCall', () => {
  it('signs the decoded value and not its JSON', () => {
    expect(signBotCall(SECRET, '0123456789abcdef0123456789abcdef', 'Hällo **Bob** 👍')).toBe(
      '56a8a1d74dbc372f91356f76e43ada4be07590eb85598a302e883d69b9c7a824',
    );
  });
});
