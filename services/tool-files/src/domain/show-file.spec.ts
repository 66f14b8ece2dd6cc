import { showName, showSize, showSource } from './show-file';

it.each([
  [null, 'size unknown'],
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1.0 KB'],
  [12_345, '12 KB'],
  [1_048_575, '1.0 MB'],
  [5_368_709_120, '5.0 GB'],
  [Number.MAX_SAFE_INTEGER, '8192 TB'],
])('shows %s bytes as %s', (bytes, text) => {
  expect(showSize(bytes)).toBe(text);
});

it('keeps right-to-left text and emoji of a name', () => {
  expect(showName('مرحبا \u202eabc 😀')).toBe('مرحبا \u202eabc 😀');
});

it('shortens a very long name in the middle, between characters', () => {
  const shown = showName('😀'.repeat(500));
  expect([...shown].length).toBeLessThanOrEqual(301);
  expect(shown).toContain('…');
  expect(shown).not.toMatch(/\p{Surrogate}/u);
});

it.each(['/short.md', `/${'x'.repeat(300)}`, `/${'😀'.repeat(400)}.md`, `/a${'😀'.repeat(400)}`])(
  'shows a source within its limit: %#',
  (path) => {
    const shown = showSource(path);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(shown).not.toMatch(/\p{Surrogate}/u);
    expect(path.endsWith(shown.slice(-5))).toBe(true);
  },
);
