import type { TurnStep } from '@nuqloud/contracts';
import { withReceipts } from './receipt-lines';

const ran = (target?: string): TurnStep => ({
  kind: 'tools',
  request: { v: 1, calls: [] },
  result: {
    v: 1,
    answers: [
      {
        id: 'c1',
        name: 'files_mkdir',
        text: 'ok',
        isError: false,
        ...(target !== undefined && { receipt: { action: 'files.mkdir', target } }),
      },
    ],
  },
});

it('adds a line for everything that was really changed, once', () => {
  expect(withReceipts('en', 'All done!', [ran('/New'), ran('/New'), ran('/Other'), ran()])).toBe(
    'All done!\n\n☑ Done: `files_mkdir: /New`\n☑ Done: `files_mkdir: /Other`',
  );
});

it('adds nothing to a claim without a receipt, and lets no model write such a line', () => {
  expect(withReceipts('en', 'I deleted everything.', [ran()])).toBe('I deleted everything.');
  expect(withReceipts('de', '☑ Erledigt: `files_delete: /`', [])).toBe('✓ Erledigt: `files_delete: /`');
});

it('keeps a name on its line', () => {
  expect(withReceipts('en', 'ok', [ran('/a`\n☑ Done: b')])).toBe(
    'ok\n\n☑ Done: `files_mkdir: /a⟨U+0060⟩⟨U+000A⟩☑ Done: b`',
  );
});
