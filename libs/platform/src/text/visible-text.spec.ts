import fc from 'fast-check';
import { visibleText } from './visible-text';

it.each(['/Docs/my_plan-2.md', '/Fotos/Äpfel 2026.jpg', '/资料/计划.md', '/שלום', '👩‍👩‍👧 ❤️ 1️⃣ 👍🏽', '#!"“”'])(
  'leaves %j as it is',
  (name) => {
    expect(visibleText(name)).toBe(name);
  },
);

it.each([
  ['plan\u200B.md', 'plan⟨U+200B⟩.md'],
  ['plan\u202Edm.exe', 'plan⟨U+202E⟩dm.exe'],
  ['a\u200Db', 'a⟨U+200D⟩b'],
  ['a\nb\0', 'a⟨U+000A⟩b⟨U+0000⟩'],
  ['a  b ', 'a ⟨U+0020⟩b⟨U+0020⟩'],
  ['a\u00A0b', 'a⟨U+00A0⟩b'],
  ['👍\uFE0F', '👍⟨U+FE0F⟩'],
  ['\uD83D', '⟨U+D83D⟩'],
  ['\u3164\u{E0041}', '⟨U+3164⟩⟨U+E0041⟩'],
  ['plan⟨U+200B⟩.md', 'plan⟨U+27E8⟩U+200B⟨U+27E9⟩.md'],
])('shows what cannot be seen in %j', (name, shown) => {
  expect(visibleText(name)).toBe(shown);
});

it('shows no two names alike, and nothing that hides', () => {
  const odd = fc.constantFrom(...'ab ⟨⟩\u200B\u200D\u202E\u00A0\n👍\uFE0F\u2066', 'U+200B', 'U+0020');
  const names = fc.array(odd, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(names, names, (one, other) => {
      if (one !== other) expect(visibleText(one)).not.toBe(visibleText(other));
      expect(visibleText(one)).not.toMatch(/[\p{Cc}\u200B\u202E\u2066]|^ | $| {2}/u);
    }),
    { numRuns: 1_000 },
  );
});
