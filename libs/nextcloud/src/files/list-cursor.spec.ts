import fc from 'fast-check';
import { FILES_ERRORS } from './files-error';
import { formatListCursor, parseListCursor, versionOf } from './list-cursor';

describe('a list cursor', () => {
  it('comes back as it was given', () => {
    const count = fc.integer({ min: 0, max: 999_999_999 });
    // The server's tokens may hold any printable sign.
    const token = fc.stringMatching(/^[\x21-\x7e]{1,64}$/);
    fc.assert(
      fc.property(count, count, fc.option(token), (offset, total, given) => {
        const cursor = { offset, total, token: given, version: given === null ? versionOf('"x"') : null };
        expect(parseListCursor(formatListCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it.each([
    '',
    '200',
    'x',
    '1.2',
    '-1.5.',
    '1.2.q',
    '1.2.e123',
    `1.2.t${Buffer.from('a\r\nb').toString('base64url')}`,
  ])('is refused when it is %j, with what to do instead', (text) => {
    let failure: unknown;
    try {
      parseListCursor(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: FILES_ERRORS.INVALID_CURSOR,
      message: expect.stringContaining('leave it out'),
    });
  });
});
