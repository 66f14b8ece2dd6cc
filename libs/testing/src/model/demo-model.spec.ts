import OpenAI from 'openai';

import { DEMO_MODEL_ID, startDemoModel } from './demo-model';
import type { ModelServer } from './model-server';

const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
});
const TOOLS = ['files_list', 'files_read', 'files_info'].map(tool);

describe('startDemoModel', () => {
  let model: ModelServer;
  let client: OpenAI;
  beforeAll(async () => {
    model = await startDemoModel();
    client = new OpenAI({ baseURL: model.baseUrl, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => model.stop());

  const answer = async (messages: OpenAI.ChatCompletionMessageParam[] | string, tools = TOOLS) => {
    const completion = await client.chat.completions.create({
      model: 'any',
      messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
      ...(tools.length > 0 ? { tools } : {}),
    });
    return completion.choices[0]?.message;
  };
  const wanted = async (text: string) => {
    const message = await answer(text);
    return message?.tool_calls?.map((call) => {
      if (call.type !== 'function') throw new Error(`an unexpected call of type ${call.type}`);
      return `${call.function.name} ${(JSON.parse(call.function.arguments) as { path: string }).path}`;
    });
  };

  it('shows itself as a script in the list of models and in each answer', async () => {
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual([DEMO_MODEL_ID]);
    const completion = await client.chat.completions.create({
      model: 'gpt-any',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(completion.model).toBe(DEMO_MODEL_ID);
  });

  it.each([
    ['list /Docs', 'files_list /Docs'],
    ['@nuq please list /Docs/', 'files_list /Docs'],
    ['Alice Adams: show me /Docs?', 'files_list /Docs'],
    ['what is in "/My Docs"?', 'files_list /My Docs'],
    ['list my files', 'files_list /'],
    ['list /', 'files_list /'],
    ['zeig mir /Docs', 'files_list /Docs'],
    ['Was liegt in „/Meine Bilder“?', 'files_list /Meine Bilder'],
    ['liste bitte meine Dateien auf', 'files_list /'],
    ['montre-moi /Docs', 'files_list /Docs'],
    ['montre mes fichiers', 'files_list /'],
    ["affiche « /L'été »", "files_list /L'été"],
    ['read /Docs/plan.md', 'files_read /Docs/plan.md'],
    ['Read /Docs/my plan.md, please.', 'files_read /Docs/my plan.md'],
    ['lies mir /Docs/plan.md vor', 'files_read /Docs/plan.md'],
    ['öffne /Docs/Übersicht.txt', 'files_read /Docs/Übersicht.txt'],
    ['lis /Docs/plan.md', 'files_read /Docs/plan.md'],
    ['info about /Docs/plan.md', 'files_info /Docs/plan.md'],
    ['Infos zu /Docs/plan.md', 'files_info /Docs/plan.md'],
    ['infos sur /Docs/plan.md', 'files_info /Docs/plan.md'],
  ])('understands %j', async (text, call) => {
    expect(await wanted(text)).toEqual([call]);
  });

  it.each([
    ['write "Hello, all" to /Docs/new.md', 'files_write', { path: '/Docs/new.md', content: 'Hello, all' }],
    [
      'overwrite /Docs/new.md with "Hello again"',
      'files_write',
      { path: '/Docs/new.md', content: 'Hello again', overwrite: true },
    ],
    [
      'schreib „Hallo“ in „/Meine Texte/neu.md“',
      'files_write',
      { path: '/Meine Texte/neu.md', content: 'Hallo' },
    ],
    [
      'écris « Bonjour » dans /Docs/nouveau.md',
      'files_write',
      { path: '/Docs/nouveau.md', content: 'Bonjour' },
    ],
    [
      'append "One more line" to /Docs/new.md',
      'files_append',
      { path: '/Docs/new.md', content: 'One more line' },
    ],
    ['create the folder /Docs/New', 'files_mkdir', { path: '/Docs/New' }],
    ['lösche /Docs/neu.md', 'files_delete', { path: '/Docs/neu.md' }],
    ['supprime « /Docs/l’été.md »', 'files_delete', { path: '/Docs/l’été.md' }],
  ])('understands %j', async (text, name, args) => {
    const message = await answer(text, [tool(name)]);
    const made = message?.tool_calls?.map((call) => 'function' in call && call.function);
    expect(made).toEqual([{ name, arguments: expect.any(String) }]);
    expect(JSON.parse((made?.[0] || { arguments: '' }).arguments)).toEqual(args);
  });

  it('writes nothing where no text is given to be written', async () => {
    expect((await answer('write /Docs/new.md', [tool('files_write')]))?.tool_calls).toBeUndefined();
  });

  it('makes several calls of several wishes', async () => {
    expect(await wanted('list /Docs and read /Docs/plan.md')).toEqual([
      'files_list /Docs',
      'files_read /Docs/plan.md',
    ]);
  });

  it.each([
    ['show me the weather', /demo script, not a language model.*none of my phrases.*list \/Docs/s],
    [
      'wie wird das Wetter? Sag es mir bitte',
      /Demo-Skript, kein Sprachmodell.*keine meiner Wendungen.*zeige \/Docs/s,
    ],
    ['quel temps dans la ville ?', /script de démonstration, pas un modèle de langage.*montre \/Docs/s],
    ['a playlist of /Docs', /none of my phrases/],
    ['hello', /Hello! I am a demo script/],
    ['what can you do?', /Hello! I am a demo script.*I understand:.*- read \/Docs\/plan.md/s],
    ['Guten Tag', /Hallo! Ich bin ein Demo-Skript/],
    ['Was kannst du?', /Ich verstehe:.*- lies/s],
    ['Bonjour', /Bonjour ! Je suis un script/],
    ['Que peux-tu faire ?', /Je comprends :.*- lis/s],
  ])('says what it is to %j', async (text, words) => {
    const message = await answer(text);
    expect(message?.content).toMatch(words);
    expect(message?.tool_calls).toBeUndefined();
  });

  it('names only what the tools it was given can do', async () => {
    const message = await answer('what can you do?', [tool('files_read'), tool('deck_boards')]);
    expect(message?.content).toContain('read /Docs/plan.md');
    expect(message?.content).not.toContain('list /Docs');
  });

  it.each([
    ['list /Docs', /files_list.*not given to me here/],
    ['hello', /no tool that I know/],
  ])('invents nothing for %j without tools', async (text, words) => {
    expect((await answer(text, []))?.content).toMatch(words);
  });

  it('passes on what the tools returned, named and unchanged, in the language of the question', async () => {
    const call = (id: string, name: string) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: '{"path":"/Docs"}' },
    });
    const message = await answer([
      { role: 'user', content: 'zeige /Docs und lies /Docs/plan.md' },
      { role: 'assistant', tool_calls: [call('1', 'files_list'), call('2', 'files_read')] },
      { role: 'tool', tool_call_id: '2', content: 'Ship it.' },
      { role: 'tool', tool_call_id: '1', content: 'plan.md 12 KB' },
    ]);
    expect(message?.content).toBe(
      'Das hat files_read geliefert:\n\nShip it.\n\nDas hat files_list geliefert:\n\nplan.md 12 KB',
    );
  });

  it('passes results on when it is told to come to an end and given no tools any more', async () => {
    const message = await answer(
      [
        { role: 'user', content: 'list /Docs' },
        {
          role: 'assistant',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'files_list', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'plan.md' },
        { role: 'system', content: 'Answer now.' },
      ],
      [],
    );
    expect(message?.content).toBe('This is what files_list returned:\n\nplan.md');
  });

  it('takes earlier results for done when the person has gone on', async () => {
    const message = await answer([
      { role: 'user', content: 'list /Docs' },
      {
        role: 'assistant',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'files_list', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'plan.md' },
      { role: 'assistant', content: 'plan.md' },
      { role: 'user', content: [{ type: 'text', text: 'read /Docs/plan.md' }] },
    ]);
    expect(message?.tool_calls).toHaveLength(1);
  });
});
