import type { PrismaClient } from '@nuqloud/database';
import { RememberingBots } from './remembering-bots';

const store = (...answers: (() => Promise<object[]>)[]) => {
  const findMany = jest.fn(() => answers.shift()?.() ?? Promise.resolve([]));
  const prisma = { botTool: { findMany }, $executeRaw: () => Promise.resolve(1) } as unknown as PrismaClient;
  return { bots: new RememberingBots(prisma), findMany };
};
const row = (tool: string) => () => Promise.resolve([{ tool, confirm: 'policy', scope: null }]);

it('asks once for what many messages need at the same time', async () => {
  const { bots, findMany } = store(row('files_list'));
  const loadouts = await Promise.all([bots.tools('nuq'), bots.tools('nuq')]);
  expect(loadouts.map(([first]) => first?.tool)).toEqual(['files_list', 'files_list']);
  expect(findMany).toHaveBeenCalledTimes(1);
});

it('asks again at once after a failure, and after a pattern was expanded', async () => {
  const away = () => Promise.reject(new Error('away'));
  const { bots } = store(away, row('files_list'), row('files_read'));
  await expect(bots.tools('nuq')).rejects.toThrow('away');
  expect((await bots.tools('nuq'))[0]?.tool).toBe('files_list');
  await bots.expand({ bot: 'nuq', instance: 'default', pattern: 'files_*' }, ['files_read']);
  expect((await bots.tools('nuq'))[0]?.tool).toBe('files_read');
});
