import fc from 'fast-check';
import { checkHistory } from './check-history';

const file = (name: string) => ({ name, sql: `-- ${name}`, checksum: `sum of ${name}` });
const row = (name: string) => ({ name, checksum: `sum of ${name}`, finished: true });

describe('checkHistory', () => {
  it('leaves the files that come after what was applied, in their order', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 10 });
    fc.assert(
      fc.property(names, fc.nat(10), (all, done) => {
        const missing = checkHistory(all.map(file), all.slice(0, done).map(row));
        expect(missing.map(({ name }) => name)).toEqual(all.slice(done));
      }),
    );
  });

  it('refuses a file that was changed after it was applied', () => {
    expect(() => checkHistory([file('a')], [{ ...row('a'), checksum: 'another' }])).toThrow(
      'a was changed after it was applied',
    );
  });

  it('refuses a history that this version does not know', () => {
    expect(() => checkHistory([file('a')], [row('a'), row('b')])).toThrow(
      'b, which this version does not know',
    );
  });

  it('refuses a migration that another tool never finished', () => {
    expect(() => checkHistory([file('a')], [{ ...row('a'), finished: false }])).toThrow(
      'a was begun by another tool and never finished',
    );
  });
});
