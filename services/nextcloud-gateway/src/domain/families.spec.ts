import { FAMILIES, ownsTool } from './families';

describe('families', () => {
  it('own tools by the beginning of their names', () => {
    expect(ownsTool('files', 'files_list')).toBe(true);
    expect(ownsTool('files', 'shares_create')).toBe(true);
    expect(ownsTool('files', 'calendar_list')).toBe(false);
    expect(ownsTool('files', 'Files_list')).toBe(false);
    expect(ownsTool('files', 'x_files_list')).toBe(false);
  });

  it('share no beginning of a name', () => {
    const prefixes = Object.values(FAMILIES).flatMap(({ toolPrefixes }) => toolPrefixes);
    for (const one of prefixes) {
      expect(prefixes.filter((other) => other.startsWith(one))).toEqual([one]);
    }
  });
});
