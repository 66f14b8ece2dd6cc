import { ToolDefinition } from '@nuqloud/contracts';
import { FILES_TOOLS } from '../src/index';

/** Everything a model is sent of the family with every message: about four characters a token. */
const MAX_DEFINITIONS = 1_400;

it('offers tools that the agent accepts', () => {
  for (const { definition } of FILES_TOOLS) expect(ToolDefinition.parse(definition)).toEqual(definition);
  expect(FILES_TOOLS.map(({ definition }) => definition.name)).toEqual([
    'files_list',
    'files_info',
    'files_read',
  ]);
});

it('changes nothing', () => {
  for (const { definition } of FILES_TOOLS) {
    expect(definition.policy).toMatchObject({
      kind: 'read',
      readOnly: true,
      destructive: false,
      openWorld: false,
    });
  }
});

it('costs the model little', () => {
  const sent = FILES_TOOLS.map(({ definition: { name, description, schema } }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  expect(JSON.stringify(sent).length).toBeLessThan(MAX_DEFINITIONS);
});
