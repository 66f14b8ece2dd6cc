import { FAMILIES } from './families';
import { isWrite } from './is-write';

describe('isWrite', () => {
  it.each(['PUT', 'MKCOL', 'DELETE', 'MOVE', 'COPY', 'POST', 'PATCH', 'PROPPATCH', 'LOCK', 'get', ''])(
    'takes %j for a write',
    (method) => expect(isWrite(method)).toBe(true),
  );

  it.each(['GET', 'HEAD', 'PROPFIND', 'REPORT', 'SEARCH', 'OPTIONS'])('takes %j for a read', (method) => {
    expect(isWrite(method)).toBe(false);
  });

  it('is true of nothing in the tables that every tool of a family may ask for', () => {
    const requests = Object.values(FAMILIES).flatMap((family) => family.requests);
    const open = requests.filter(({ tools }) => tools === undefined).flatMap(({ methods }) => methods);
    expect(open.filter(isWrite)).toEqual([]);
  });

  it('needs a Destination in the tables where something is moved or copied, and nowhere else', () => {
    const requests = Object.values(FAMILIES).flatMap((family) => family.requests);
    for (const { methods, destination } of requests) {
      const moves = methods.includes('MOVE') || methods.includes('COPY');
      expect([methods, destination !== undefined]).toEqual([methods, moves]);
    }
  });
});
