import { Router } from './router';

describe('Router', () => {
  const router = new Router<string>()
    .on('GET', '/room/{token}/messages', 'list')
    .on('POST', '/room/{token}/messages', 'write')
    .on('GET', '/app/{rest...}', 'rest');

  it('finds a handler by method and decodes the parameters once', () => {
    expect(router.match('GET', '/room/a%2520b/messages')).toEqual({
      handler: 'list',
      parameters: { token: 'a%20b' },
    });
    expect(router.match('POST', '/room/x/messages')?.handler).toBe('write');
  });

  it('gives the rest of a path to a last part with dots', () => {
    expect(router.match('GET', '/app/a/b/c')?.parameters).toEqual({ rest: 'a/b/c' });
  });

  it.each(['/room/x', '/room/x/messages/1', '/room//messages', '/room/%E0%A4%A/messages'])(
    'finds nothing at %s',
    (path) => {
      expect(router.match('GET', path)).toBeUndefined();
    },
  );

  it('knows a path that is served with another method only', () => {
    expect(router.match('PUT', '/room/x/messages')).toBeUndefined();
    expect(router.knows('/room/x/messages')).toBe(true);
    expect(router.knows('/nowhere')).toBe(false);
  });
});
