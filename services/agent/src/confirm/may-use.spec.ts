import type { Bots } from '../ports/bots';
import type { Receipts } from '../ports/receipts';
import type { ToolRegistry } from '../registry/tool-registry';
import { MayUse } from './may-use';

const ASKED = { confirmation: 'c', context: { instance: 'default', bot: 'nuq' } };

const mayUse = (tool: string, assigned: readonly string[], undone?: string): Promise<boolean> => {
  const rows = assigned.map((name) => ({ tool: name, confirmAlways: false, scope: undefined }));
  const definition = { name: 'acme_send', description: '', schema: {}, aliases: ['acme_mail'] };
  const offered = new Map([['acme_send', { provider: 'acme', definition }]]);
  return new MayUse(
    { tools: () => Promise.resolve(rows) } as unknown as Bots,
    { offered: () => Promise.resolve(offered) } as unknown as ToolRegistry,
    { undoneBy: () => Promise.resolve(undone && { id: 1n, tool: undone }) } as unknown as Receipts,
  ).mayUse(tool, ASKED);
};

it.each<[string, string, string[], string | undefined, boolean]>([
  ['what it has', 'files_delete', ['files_list', 'files_delete'], undefined, true],
  ['nothing that was taken from it', 'files_delete', ['files_list'], undefined, false],
  ['what it has by a former name', 'acme_send', ['acme_mail'], undefined, true],
  ['what undoes something that it has', 'files_delete', ['files_mkdir'], undefined, true],
  ['a third party’s inverse of something that it has', 'acme_recall', ['acme_mail'], 'acme_send', true],
  ['no inverse of something that was taken from it', 'acme_recall', ['files_list'], 'acme_send', false],
])('a bot may use %s', async (_what, tool, assigned, undone, expected) => {
  expect(await mayUse(tool, assigned, undone)).toBe(expected);
});
