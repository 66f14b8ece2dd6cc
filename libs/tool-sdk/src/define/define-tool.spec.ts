import { readToolPolicy, ToolDefinition, undeclaredToolPolicy } from '@nuqloud/contracts';
import { z } from 'zod';
import { InvalidToolDefinition } from './argument-schema';
import { defineTool } from './define-tool';
import type { ToolSpecification } from './define-tool';

const specification = {
  name: 'notes_find',
  description: 'Finds notes.',
  label: 'Find notes',
  summary: 'Finds notes by their text.',
  policy: readToolPolicy(),
  run: () => Promise.resolve({ text: 'found' }),
};

const toolWith = <Arguments extends z.ZodObject>(
  args: Arguments,
  over: Partial<ToolSpecification<Arguments, unknown>> = {},
) => defineTool<Arguments, unknown>({ ...specification, arguments: args, ...over });

describe('a defined tool', () => {
  it('has a schema that is one plain object without what only costs words', () => {
    const tool = toolWith(
      z.strictObject({
        query: z.string().min(1).describe('Words to look for'),
        limit: z.int().min(1).max(50).optional(),
        offset: z.int().min(0).default(0),
        order: z.enum(['new', 'old']).optional(),
      }),
    );
    expect(tool.definition.schema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'Words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 50 },
        offset: { type: 'integer', minimum: 0, default: 0 },
        order: { type: 'string', enum: ['new', 'old'] },
      },
      required: ['query'],
      additionalProperties: false,
    });
    expect(ToolDefinition.parse(tool.definition)).toEqual(tool.definition);
  });

  it('has an empty map, never a list, where it takes no arguments', () => {
    expect(JSON.stringify(toolWith(z.strictObject({})).definition.schema)).toBe(
      '{"type":"object","properties":{},"additionalProperties":false}',
    );
  });

  it('describes what the model writes, before it is transformed', () => {
    const schema = z.strictObject({ when: z.string().transform((text) => new Date(text)) });
    expect(toolWith(schema).definition.schema.properties).toEqual({ when: { type: 'string' } });
  });

  it('runs with its arguments as they came out of the schema', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      ...specification,
      arguments: z.strictObject({ count: z.string().transform(Number), more: z.int().default(2) }),
      run: ({ count, more }, call: { who: string }) => {
        seen.push(count * more, call.who);
        return Promise.resolve({ text: 'done' });
      },
    });
    await (await tool.prepare({ count: '21' }).plan({ who: 'alice' })).act();
    expect(seen).toEqual([42, 'alice']);
  });

  it('is available everywhere unless it says otherwise', () => {
    const instance = { id: 'main', nextcloudMajor: 30, apps: ['deck'] };
    expect(toolWith(z.strictObject({})).available(instance)).toBe(true);
    const onlyNew = toolWith(z.strictObject({}), {
      available: ({ nextcloudMajor }) => (nextcloudMajor ?? 0) >= 31,
    });
    expect(onlyNew.available(instance)).toBe(false);
  });

  it.each([
    ['arguments that let anything through', () => toolWith(z.object({ a: z.string() })), /strictObject/],
    ['arguments without a JSON Schema', () => toolWith(z.strictObject({ a: z.date() })), /JSON Schema/],
    [
      'a recursive schema',
      () => {
        const Tree = z.strictObject({
          get children() {
            return z.array(Tree).optional();
          },
        });
        return toolWith(Tree);
      },
      /models refuse|JSON Schema/,
    ],
    ['a name no model accepts', () => toolWith(z.strictObject({}), { name: 'find notes!' }), /name/],
    ['an empty description', () => toolWith(z.strictObject({}), { description: '' }), /description/],
    [
      'a cap above the common one',
      () => toolWith(z.strictObject({}), { maxCharacters: 17_000 }),
      /maxCharacters/,
    ],
  ])('is refused when it is defined with %s', (_what, define, problem) => {
    expect(define).toThrow(InvalidToolDefinition);
    expect(define).toThrow(problem);
  });

  it('keeps the policy it was given', () => {
    const tool = toolWith(z.strictObject({}), { policy: undeclaredToolPolicy() });
    expect(tool.definition.policy).toEqual(undeclaredToolPolicy());
  });
});
