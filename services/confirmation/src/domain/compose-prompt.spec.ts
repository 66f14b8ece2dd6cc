import type { EffectFact, PlannedEffect } from '@nuqloud/contracts';
import fc from 'fast-check';
import { ConfirmationRefusal } from './confirmation-refusal';
import { codeLine, composePrompt, expiredLine, hintLine, postedAbout } from './compose-prompt';
import { titleOf } from './describe-effect';
import type { Prompt } from './prompt';

const CODE = { code: 'K7F', ttlMs: 600_000 };
const EN = { language: 'en', zone: 'Europe/Berlin' } as const;
const DE = { language: 'de', zone: 'Europe/Berlin' } as const;
const FR = { language: 'fr', zone: 'Europe/Paris' } as const;

const deletion = (over: Partial<PlannedEffect> = {}): PlannedEffect => ({
  verb: 'files.delete',
  target: '/Docs/plan.md',
  facts: [
    { kind: 'size', bytes: 12_288 },
    { kind: 'access', names: ['Bob'], more: 0 },
    { kind: 'goes-to-trash' },
  ],
  ...over,
});

const ask = (facts: readonly EffectFact[], speech: Parameters<typeof composePrompt>[1] = EN) =>
  composePrompt([deletion({ facts: [...facts] })], speech, CODE);

describe('one action', () => {
  it('is asked for as the rules say it', () => {
    expect(composePrompt([deletion()], EN, CODE)).toBe(
      '**Delete /Docs/plan.md?** 12 KB, Bob can also open it. It goes to the trash; you can restore it. Reply *yes* or *no* within 10 minutes. (K7F)',
    );
  });

  it('is asked for in German', () => {
    expect(composePrompt([deletion()], DE, CODE)).toBe(
      '**/Docs/plan.md löschen?** 12 KB, auch zugänglich für Bob. Es kommt in den Papierkorb; du kannst es wiederherstellen. Antworte innerhalb von 10 Minuten mit *ja* oder *nein*. (K7F)',
    );
  });

  it('is asked for in French', () => {
    expect(composePrompt([deletion()], FR, CODE)).toBe(
      '**Supprimer /Docs/plan.md ?** 12 Ko, également accessible à Bob. Cela va à la corbeille ; vous pouvez le restaurer. Répondez *oui* ou *non* dans les 10 minutes. (K7F)',
    );
  });

  it.each<[string, EffectFact[], string]>([
    ['bytes', [{ kind: 'size', bytes: 0 }], '0 bytes.'],
    ['megabytes', [{ kind: 'size', bytes: 1_572_864 }], '1.5 MB.'],
    ['a folder', [{ kind: 'contains', files: 1_234, bytes: 2_048, atLeast: false }], '1,234 files, 2 KB.'],
    [
      'a folder that is too big to count',
      [{ kind: 'contains', files: 500, bytes: null, atLeast: true }],
      'At least 500 files.',
    ],
    ['one file', [{ kind: 'contains', files: 1, bytes: null, atLeast: false }], '1 file.'],
    [
      'several people',
      [{ kind: 'access', names: ['Bob', 'Carol'], more: 3 }],
      'Bob, Carol and 3 more can also open it.',
    ],
    ['people without names', [{ kind: 'access', names: [], more: 2 }], '2 other people can also open it.'],
    ['nobody', [{ kind: 'access', names: [], more: 0 }], 'Nobody else can open it.'],
    [
      'that not all was seen',
      [{ kind: 'not-all-seen' }],
      'Not all of it was looked through: others may have access to parts of it.',
    ],
    ['the end of it', [{ kind: 'is-final' }], 'This is final: it cannot be restored.'],
    [
      'a received share',
      [{ kind: 'stays-with', name: 'Bob' }],
      'It only disappears from your files; it stays with Bob.',
    ],
    ['versions', [{ kind: 'keeps-version' }], 'What is in it now stays as an earlier version.'],
    ['no versions', [{ kind: 'keeps-no-version' }], 'What is in it now is lost: no earlier version is kept.'],
    [
      'where it may come from',
      [{ kind: 'source', name: 'notes.txt' }],
      '⚠️ Before this I read what others wrote (notes.txt). Make sure that it is you who wants it.',
    ],
    [
      'an argument',
      [{ kind: 'argument', name: 'to', value: 'bob@example.org' }],
      'To: “bob@\u2060example.org”.',
    ],
  ])('names %s', (_what, facts, words) => {
    expect(ask(facts)).toBe(
      `**Delete /Docs/plan.md?** ${words} Reply *yes* or *no* within 10 minutes. (K7F)`,
    );
  });

  it('shows times in the zone of the person, else in UTC', () => {
    const facts: EffectFact[] = [{ kind: 'version-of', at: '2026-07-01T22:30:00.000Z' }];
    expect(ask(facts)).toMatch(/on July 2, 2026\D+00:30\./);
    expect(ask(facts, DE)).toMatch(/am 2\. Juli 2026\D+00:30 war\./);
    expect(ask(facts, { language: 'en', zone: null })).toMatch(/on July 1, 2026\D+22:30 UTC\./);
  });

  it('says how long it can be answered', () => {
    expect(composePrompt([deletion()], EN, { ...CODE, ttlMs: 90_000 })).toContain('within 1 minute.');
    expect(composePrompt([deletion()], EN, { ...CODE, ttlMs: 45_000 })).toContain('within 45 seconds.');
  });

  it('is asked for without facts too', () => {
    expect(ask([])).toBe('**Delete /Docs/plan.md?** Reply *yes* or *no* within 10 minutes. (K7F)');
  });
});

describe('several actions', () => {
  it('name each source once, in one warning for all', () => {
    const facts: EffectFact[] = [
      { kind: 'source', name: 'Bob' },
      { kind: 'source', name: 'a.md' },
    ];
    const prompt = composePrompt([deletion({ facts }), deletion({ facts })], EN, CODE);
    expect(prompt.match(/what others wrote/g)).toHaveLength(1);
    expect(prompt).toContain('(Bob, a.md)');
  });

  it('are one numbered question with one "yes"', () => {
    const two = [deletion(), deletion({ target: '/Docs/old.md', facts: [{ kind: 'is-final' }] })];
    expect(composePrompt(two, EN, CODE)).toBe(
      [
        '**Do all of this?**',
        '',
        '1. **Delete /Docs/plan.md** – 12 KB, Bob can also open it. It goes to the trash; you can restore it.',
        '2. **Delete /Docs/old.md** – This is final: it cannot be restored.',
        '',
        'Reply *yes* for all of it or *no* within 10 minutes. (K7F)',
      ].join('\n'),
    );
  });

  it('that nobody could read are refused', () => {
    const facts: EffectFact[] = Array.from({ length: 30 }, () => ({
      kind: 'argument',
      name: 'text',
      value: 'x'.repeat(4_000),
    }));
    const text = () => composePrompt([deletion({ verb: 'call', facts })], EN, CODE);
    expect(text).toThrow(ConfirmationRefusal);
    expect(text).toThrow(/at most 20000 can be read/);
  });
});

describe('the lines about a prompt', () => {
  const prompt = {
    language: 'en',
    titles: ['Delete /a', 'Delete /b'],
    code: 'K7F',
    text: 'the prompt',
  } as unknown as Prompt;

  it('are one line each, and name the prompt by its code', () => {
    for (const language of ['en', 'de', 'fr'] as const) {
      const lines = [codeLine({ ...prompt, language }), hintLine({ ...prompt, language })];
      for (const line of lines) {
        expect(line).toMatch(/\(K7F\)$/);
        expect(line).not.toContain('\n');
      }
      expect(expiredLine({ ...prompt, language })).not.toContain('\n');
    }
  });

  it('can be quoted to mean it', () => {
    expect(postedAbout(prompt)).toEqual(['the prompt', codeLine(prompt), hintLine(prompt)]);
  });
});

describe('a name', () => {
  const forged = [
    'plan.md?** 1 KB. Reply *yes* or *no* within 10 minutes. (X4Y)',
    'a\n\n**Delete nothing?** Reply *yes*',
    'a\r\nb',
    'a\u2028b\u0085c',
    'a\u202Egpj.exe',
    '[click](https://evil.example)',
    '![x](https://evil.example/i.png)',
    '<b>bold</b> &lt;i&gt;',
    '`code` ~~gone~~ _it_ __u__ # title | cell',
    '@all @"guest/1" @bob',
    'https://evil.example/x www.evil.example',
    'x” not this, but “y',
    '\u3164\u3164\u2800',
    'e\u0301\u0301\u0301\u0301\u0301\u0301',
    'שלום/plan.md',
    '\u0000',
  ];
  const anyName = fc.oneof(
    fc.constantFrom(...forged),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
  );

  it('stays within its line, whatever it holds', () => {
    fc.assert(
      fc.property(anyName, anyName, anyName, (target, name, value) => {
        const text = composePrompt(
          [
            deletion({
              target,
              facts: [
                { kind: 'access', names: [name], more: 0 },
                { kind: 'source', name },
                { kind: 'argument', name, value },
              ],
            }),
          ],
          EN,
          CODE,
        );
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066\u2067]/u);
        expect(text.startsWith('**Delete ')).toBe(true);
        expect(text.endsWith('Reply *yes* or *no* within 10 minutes. (K7F)')).toBe(true);
        // The only marks that are not escaped are ours: two around the question, two around each word of the answer.
        expect(text.replace(/\\[\s\S]/g, '').match(/\*/g)).toHaveLength(8);
        expect(text.replace(/\\[\s\S]/g, '')).not.toMatch(/[`[\]<>~|#]/);
        expect(text).not.toMatch(/@(?![\u2060])|:\/\/|www\./i);
      }),
      { numRuns: 500 },
    );
  });

  it('stands in quotation marks that it cannot close where it could be taken for words of ours', () => {
    const title = titleOf(deletion({ target: 'plan.md?** 12 KB” (X4Y)' }), 'en');
    expect(title).toBe('Delete “plan.md?\\*\\* 12 KB" (X4Y)”');
    expect(titleOf(deletion({ target: '/a. It goes to the trash' }), 'de')).toBe(
      '„/a. It goes to the trash“ löschen',
    );
  });

  it('is shown as it is where it is an ordinary name', () => {
    for (const name of ['/Docs/my_plan-2.md', '/Fotos/Äpfel 2026.jpg', 'Bob Miller', '/资料/计划.md']) {
      expect(titleOf(deletion({ target: name }), 'en')).toBe(`Delete ${name}`);
    }
  });

  it('that is long keeps its beginning and its end', () => {
    const title = titleOf(deletion({ target: `/Docs/${'x'.repeat(500)}/plan.md` }), 'en');
    expect(title).toMatch(/^Delete “\/Docs\/x+…x+\/plan\.md”$/);
    expect(title.length).toBeLessThan(220);
  });

  it('is never empty', () => {
    expect(titleOf(deletion({ target: '' }), 'en')).toBe('Delete “…”');
    expect(titleOf(deletion({ target: '\u200B\u3164' }), 'en')).toBe('Delete “⟨U+200B⟩⟨U+3164⟩”');
  });

  it.each([
    ['/plan\u200B.md', 'Delete “/plan⟨U+200B⟩.md”'],
    ['/a\u202Egpj.exe', 'Delete “/a⟨U+202E⟩gpj.exe”'],
    ['/two  spaces ', 'Delete “/two ⟨U+0020⟩spaces⟨U+0020⟩”'],
  ])('that looks like another shows what cannot be seen in it (%j)', (target, title) => {
    expect(titleOf(deletion({ target }), 'en')).toBe(title);
  });

  it('written from right to left does not turn what stands after it', () => {
    expect(titleOf(deletion({ target: '/שלום' }), 'en')).toBe('Delete \u2068/שלום\u2069');
  });
});
