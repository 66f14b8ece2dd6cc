import { z } from 'zod';
import { checkArguments } from './check-arguments';
import { ToolFailure } from './tool-failure';

const Arguments = z
  .strictObject({
    path: z.string().min(1).max(10),
    limit: z.int().min(1).max(200).optional(),
    exact: z.boolean().optional(),
    kind: z.enum(['file', 'folder']).optional(),
    tags: z.array(z.string()).max(2).optional(),
  })
  .refine(({ path }) => path !== '/forbidden', { error: 'must not be that one', path: ['path'] });

const failureFor = (given: unknown): string => {
  try {
    checkArguments('files_list', Arguments, given);
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
  }
  throw new Error('it did not fail');
};

describe('wrong arguments', () => {
  it.each([
    [{}, '`path` is missing and must be a text'],
    [{ path: 7 }, '`path` must be a text'],
    [{ path: '/', limit: '5' }, '`limit` must be a number'],
    [{ path: '/', limit: 1.5 }, '`limit` must be a whole number'],
    [{ path: '/', limit: 500 }, '`limit` must be at most 200'],
    [{ path: '/', limit: 0 }, '`limit` must be at least 1'],
    [{ path: '' }, '`path` must be at least 1 characters long'],
    [{ path: '/', limit: null }, 'leave it out instead of sending null'],
    [{ path: '/', exact: 'yes' }, '`exact` must be true or false'],
    [{ path: '/', kind: 'both' }, '`kind` must be one of "file", "folder"'],
    [{ path: '/', tags: ['a', 'b', 'c'] }, '`tags` must be at most 2 entries long'],
    [{ path: '/', tags: ['a', 1] }, '`tags.1` must be a text'],
    [{ path: '/', folder: 'x' }, 'there is no argument `folder`, it takes path, limit, exact, kind, tags'],
    [{ path: '/forbidden' }, '`path` must not be that one'],
    [[], 'must be an object'],
    ['{"path":"/"}', 'must be an object'],
  ])('%j are named with what would be right', (given, message) => {
    expect(failureFor(given)).toContain(message);
  });

  it('say that nothing was run, and name two problems at most', () => {
    const message = failureFor({ path: 1, limit: 'a', exact: 2, kind: 3 });
    expect(message).toMatch(/^files_list was not run: .*; .*\.$/);
    expect(message.split(';')).toHaveLength(2);
  });

  it('never quote what was given', () => {
    expect(failureFor({ path: 'secret'.repeat(9), kind: 'secret' })).not.toContain('secret');
  });
});
