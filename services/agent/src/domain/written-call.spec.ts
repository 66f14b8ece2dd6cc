import fc from 'fast-check';
import { isWrittenCall } from './written-call';

const tools = ['files_list', 'files_delete'];

it.each([
  '{"name": "files_list", "arguments": {"path": "/"}}',
  '[{"name": "files_list", "parameters": {}}]',
  '{"type": "function", "function": {"name": "files_list", "arguments": "{}"}}',
  '{"action": "files_list", "action_input": {"path": "/"}}',
  '```json\n{"tool": "files_list", "args": {"path": "/"}}\n```',
  'I will look.\n\n```json\n{"name": "files_list", "arguments": {}}\n```',
  '<tool_call>\n{"name": "files_list", "arguments": {}}\n</tool_call>',
  '[TOOL_CALLS] [{"name": "files_list", "arguments": {}}]',
  '<function=files_list>{"path": "/"}</function>',
  '<|tool_calls_begin|>files_list',
  'files_list(path="/")',
  '  files_list({"path": "/"});\n',
  '```\nfiles_list()\n```',
])('recognises %j', (text) => {
  expect(isWrittenCall(text, tools)).toBe(true);
});

it.each([
  'Here is what I found: plan.md',
  'I can use files_list and files_delete here.',
  'I called files_list({"path": "/"}) and found plan.md.',
  'The function is called with `files_list(path="/")`, as you asked.',
  '```json\n{"name": "Alice", "arguments": {}}\n```',
  '{"name": "files_list"}',
  '{"name": "calendar_list", "arguments": {}}',
  '```js\nfunction files(list) { return list; }\n```',
  '<tool_call>nothing of ours</tool_call>',
  '[]',
  '',
])('leaves %j alone', (text) => {
  expect(isWrittenCall(text, tools)).toBe(false);
});

it('finds nothing where there are no tools', () => {
  expect(isWrittenCall('files_list()', [])).toBe(false);
});

it('never throws, and is quick on long texts', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof isWrittenCall(text, tools) === 'boolean'));
  expect(isWrittenCall(`\`\`\`${'`'.repeat(50_000)}\n${' \n'.repeat(50_000)}`, tools)).toBe(false);
});
