import fc from 'fast-check';
import { readAppHeaders } from './app-headers';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const headers = (credential: string, more: Record<string, string | string[]> = {}) => ({
  'ex-app-id': 'nuqloud_ai',
  'ex-app-version': '0.1.0',
  'authorization-app-api': credential,
  ...more,
});

describe('the headers of AppAPI', () => {
  it('name app, version and secret, and no user', () => {
    expect(readAppHeaders(headers('OnRvcHNlY3JldA=='))).toEqual({
      appId: 'nuqloud_ai',
      version: '0.1.0',
      secret: 'topsecret',
      requestId: undefined,
    });
  });

  it('give the secret exactly as it was put in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (secret) => {
        expect(readAppHeaders(headers(base64(`:${secret}`)))).toMatchObject({ secret });
      }),
    );
  });

  it('are refused where they act as somebody, whoever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^:]{1,60}$/), (user) => {
        expect(readAppHeaders(headers(base64(`${user}:secret`)))).toEqual({ fault: 'ACTS_AS_USER' });
      }),
    );
  });

  it.each([
    ['NO_APP_ID', { 'ex-app-id': '' }],
    ['NO_APP_ID', { 'ex-app-id': ['a', 'b'] }],
    ['NO_APP_ID', { 'ex-app-id': 'a'.repeat(65) }],
    ['NO_APP_VERSION', { 'ex-app-version': '' }],
    ['NO_AUTHORIZATION', { 'authorization-app-api': '' }],
    ['NO_AUTHORIZATION', { 'authorization-app-api': 'A'.repeat(1_100) }],
    ['MALFORMED_AUTHORIZATION', { 'authorization-app-api': 'not base64!' }],
    ['MALFORMED_AUTHORIZATION', { 'authorization-app-api': base64('no colon') }],
    ['MALFORMED_AUTHORIZATION', { 'authorization-app-api': base64(':') }],
    ['MALFORMED_AUTHORIZATION', { 'authorization-app-api': base64('alice:') }],
  ])('are refused with %s', (fault, more) => {
    expect(readAppHeaders(headers(base64(':secret'), more))).toEqual({ fault });
  });

  it('never throw, whatever comes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (id, version, credential) => {
        readAppHeaders({ 'ex-app-id': id, 'ex-app-version': version, 'authorization-app-api': credential });
      }),
    );
  });

  it('name the request unless it has no name of its own', () => {
    const id = (value: string) =>
      (readAppHeaders(headers(base64(':s'), { 'aa-request-id': value })) as { requestId?: string }).requestId;
    expect(id('x7Kq0aB1cD2eF3gH4iJ5')).toBe('x7Kq0aB1cD2eF3gH4iJ5');
    expect(id('CLI')).toBeUndefined();
  });
});
