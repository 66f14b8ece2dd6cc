import { ExpiringMap } from './expiring-map';

describe('ExpiringMap', () => {
  it('forgets an entry at its end', () => {
    const map = new ExpiringMap<string>(10);
    map.set('a', '1', 1_000);
    expect(map.get('a', 999)).toBe('1');
    expect(map.get('a', 1_000)).toBeUndefined();
  });

  it('lets the oldest entry go when it is full', () => {
    const map = new ExpiringMap<string>(2);
    map.set('a', '1', 9);
    map.set('b', '2', 9);
    map.set('a', '3', 9);
    map.set('c', '4', 9);
    expect([map.get('a', 1), map.get('b', 1), map.get('c', 1)]).toEqual(['3', undefined, '4']);
  });
});
