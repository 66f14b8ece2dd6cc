import { parseFilePath } from '@nuqloud/nextcloud';
import type { FilePath } from '@nuqloud/nextcloud';
import { AllowedFolders } from './allowed-folders';

const at = (path: string): FilePath => {
  const parsed = parseFilePath(path);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

describe('the allowed folders', () => {
  it('are all of the files without a limit', () => {
    for (const scope of [undefined, {}]) expect(AllowedFolders.of(scope)?.includes(at('/a/b'))).toBe(true);
  });

  it('are those of the limit, with all that is in them', () => {
    const allowed = AllowedFolders.of({ paths: ['/Docs', '/Team/2026'] });
    const included = ['/Docs', '/Docs/plan.md', '/Team/2026/x'];
    const excluded = ['/', '/Docs2', '/Team', '/Team/2025', '/docs'];
    for (const path of included) expect([path, allowed?.includes(at(path))]).toEqual([path, true]);
    for (const path of excluded) expect([path, allowed?.includes(at(path))]).toEqual([path, false]);
  });

  it.each([['/Docs/../Private'], ['/a//b'], ['/a\\b'], ['/%2e%2e/b']])(
    'are none where one of them cannot be understood: %s',
    (path) => {
      expect(AllowedFolders.of({ paths: ['/Docs', path] })).toBeNull();
    },
  );
});
