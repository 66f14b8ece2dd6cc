import fc from 'fast-check';
import { readToolPolicy, searchToolPolicy } from '@nuqloud/contracts';
import { searchToForce } from './forced-search';
import { helpText } from './help-text';
import { lastWords } from './last-words';
import { languageOf, phrasesFor } from './phrases';

describe('language', () => {
  it.each([
    ['de', 'de'],
    ['de_DE', 'de'],
    ['de-CH-1901', 'de'],
    ['FR', 'fr'],
    ['en', 'en'],
    ['den', 'en'],
    ['', 'en'],
    ['ja', 'en'],
  ])('of %j is %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it('has other words for each phrase in each language', () => {
    for (const key of ['guestRefused', 'modelDown', 'budgetUsedUp', 'writeAgain', 'timeUsedUp'] as const) {
      expect(new Set(['en', 'de', 'fr'].map((tag) => phrasesFor(tag)[key])).size).toBe(3);
    }
  });
});

describe('last words', () => {
  it('show what was found in a code block that the text cannot leave', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '\n', 'a', '@') }), (text) => {
        const words = lastWords('en', 'model-down', [{ id: '1', name: 'x', text, isError: false }]);
        const [fence] = /^`{3,}$/m.exec(words) ?? [];
        expect(fence).toBeDefined();
        expect(text).not.toContain(fence);
        expect(words.endsWith(`\n${fence}`)).toBe(true);
      }),
    );
  });

  it('leave errors out', () => {
    const words = lastWords('de', 'budget', [{ id: '1', name: 'x', text: 'broken', isError: true }]);
    expect(words).not.toContain('broken');
    expect(words).toBe(phrasesFor('de').budgetUsedUp);
  });
});

describe('help', () => {
  const tools = [
    { name: 'files_list', label: 'List a folder', summary: 'Shows what is in it.', away: false },
    { name: 'files_gone', label: 'Gone', summary: '', away: true },
  ];

  it('lists the tools, and says of one that is away that it is', () => {
    const text = helpText('en', { name: 'NuQ', slug: 'nuq' }, 'user', tools);
    expect(text).toContain('**List a folder** – Shows what is in it.');
    expect(text).toContain('**Gone** (not available at the moment)');
    expect(text).toContain('@nuq');
  });

  it('offers a guest no tools', () => {
    expect(helpText('fr', { name: 'NuQ', slug: 'nuq' }, 'guest', tools)).not.toContain('List a folder');
  });
});

describe('a forced search', () => {
  const loaded = (name: string, policy = searchToolPolicy()) => ({
    provider: 'files',
    definition: { name, description: name, schema: { type: 'object' as const, properties: {} } },
    policy,
    confirmAlways: false,
    scope: undefined,
  });
  const tools = [loaded('files_read', readToolPolicy()), loaded('files_search')];

  it.each([
    'Find the contract',
    'look up the price',
    'Where is my invoice?',
    'such bitte die Rechnung',
    'wo liegt der Plan?',
    'cherche le contrat',
    'où est le plan ?',
  ])('follows from %j', (text) => {
    expect(searchToForce('auto', text, tools)?.definition.name).toBe('files_search');
  });

  it.each(['Hello', 'Write a poem', 'besuch mich', 'what is 2+2'])('does not follow from %j', (text) => {
    expect(searchToForce('auto', text, tools)).toBeUndefined();
  });

  it('is never made when off, always when always, and needs a search tool', () => {
    expect(searchToForce('off', 'Find it', tools)).toBeUndefined();
    expect(searchToForce('always', 'Hello', tools)).toBeDefined();
    expect(searchToForce('always', 'Find it', tools.slice(0, 1))).toBeUndefined();
  });
});
