import { hasProperLifetime, isForThisRequest } from './service-token';

const NOW = 1_800_000_000_000;
const iat = NOW / 1000;

describe('a service token', () => {
  it('is for one method, path and query', () => {
    const claims = { method: 'GET', path: '/nextcloud/default/ocs/v2.php/cloud/user?format=json' };
    expect(isForThisRequest(claims, { method: 'GET', url: claims.path })).toBe(true);
    expect(isForThisRequest(claims, { method: 'HEAD', url: claims.path })).toBe(false);
    expect(isForThisRequest(claims, { method: 'GET', url: `${claims.path}&x` })).toBe(false);
    expect(isForThisRequest(claims, { method: 'GET', url: claims.path.split('?')[0] ?? '' })).toBe(false);
  });

  it('lives a minute at most, from about now', () => {
    expect(hasProperLifetime({ iat, exp: iat + 60 }, NOW)).toBe(true);
    expect(hasProperLifetime({ iat: iat - 50, exp: iat + 10 }, NOW)).toBe(true);
    expect(hasProperLifetime({ iat, exp: iat + 61 }, NOW)).toBe(false);
    expect(hasProperLifetime({ iat: iat + 31, exp: iat + 60 }, NOW)).toBe(false);
    expect(hasProperLifetime({ iat, exp: iat }, NOW)).toBe(false);
  });
});
