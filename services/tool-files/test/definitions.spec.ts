import { ToolDefinition, UNDO_TOOLS } from '@nuqloud/contracts';
import { FILES_TOOLS } from '../src/index';

/** Everything a model is sent of the family with every message: about four characters a token. */
const MAX_DEFINITIONS = 4_200;

const READS = ['files_list', 'files_info', 'files_read', 'files_trash', 'files_versions'];
const names = FILES_TOOLS.map(({ definition }) => definition.name);

it('offers tools that the agent accepts', () => {
  for (const { definition } of FILES_TOOLS) expect(ToolDefinition.parse(definition)).toEqual(definition);
  expect(names).toEqual([
    'files_list',
    'files_info',
    'files_read',
    'files_write',
    'files_append',
    'files_mkdir',
    'files_delete',
    'files_trash',
    'files_restore',
    'files_versions',
    'files_restore_version',
  ]);
});

it('says of each tool the worst that it can do', () => {
  for (const { definition } of FILES_TOOLS) {
    const { name, policy } = definition;
    expect([name, policy.readOnly]).toEqual([name, READS.includes(name)]);
    expect(policy.openWorld).toBe(false);
  }
  const destructive = FILES_TOOLS.filter(({ definition }) => definition.policy.destructive);
  expect(destructive.map(({ definition }) => definition.name)).toEqual([
    'files_write',
    'files_delete',
    'files_restore_version',
  ]);
});

it('has every inverse that its receipts may name', () => {
  const inverses = Object.values(UNDO_TOOLS).flat();
  expect(inverses.filter((name) => !names.includes(name))).toEqual([]);
});

it('costs the model little', () => {
  const sent = FILES_TOOLS.map(({ definition: { name, description, schema } }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  expect(JSON.stringify(sent).length).toBeLessThan(MAX_DEFINITIONS);
});
