import type { ActionReport, AnsweredCall } from '@nuqloud/contracts';
import { MAX_RESULT_CHARACTERS } from '@nuqloud/contracts';
import { besidesPrompt, reportText, resultText } from './reports';

const report = (n: number, state: ActionReport['state'], text = ''): ActionReport => ({
  n,
  title: `Delete /${n}`,
  state,
  text,
});

it('tells of one action in one line', () => {
  expect(reportText('en', [report(1, 'done')])).toBe('Done: Delete /1');
  expect(reportText('de', [report(1, 'failed', 'It has changed.')])).toBe(
    'Nicht getan: Delete /1. It has changed.',
  );
});

it('tells of several one by one, each with its own end', () => {
  const text = reportText('en', [report(1, 'done'), report(2, 'unknown'), report(3, 'lapsed')]);
  expect(text.split('\n')).toEqual([
    '1. Done: Delete /1',
    expect.stringMatching(/^2\. It is not known whether/),
    expect.stringMatching(/^3\. Not done, because it could not begin in time/),
  ]);
});

it.each([0, 1, 20])(
  'keeps a result that is %i too long within what an outcome may hold, and says so',
  (more) => {
    const content = [{ type: 'text' as const, text: 'x'.repeat(MAX_RESULT_CHARACTERS + more) }];
    const text = resultText({ content, isError: false });
    expect([text.length, text.endsWith('[cut off]')]).toEqual([MAX_RESULT_CHARACTERS, more > 0]);
  },
);

it('never says nothing', () => {
  expect(reportText('fr', [])).not.toBe('');
});

describe('beside a prompt', () => {
  const answer = (over: Partial<AnsweredCall>): AnsweredCall => ({
    id: '1',
    name: 'files_write',
    text: 'x',
    isError: false,
    ...over,
  });
  const isWrite = (name: string) => name === 'files_write';
  const receipt = { action: 'files.create', target: '/a`\n**b**' };

  it('stand what was done and what was not', () => {
    expect(
      besidesPrompt(
        'en',
        [answer({ receipt }), answer({ isError: true, text: 'Error: No `such` folder.' })],
        isWrite,
      ),
    ).toBe("Done: `files_write: /a⟨U+0060⟩⟨U+000A⟩**b**`\nNot done: files_write. `No 'such' folder.`");
  });

  it('stands nothing of reads and of what is asked for', () => {
    const proposal = { plan: 'signed' };
    const read = { name: 'files_read', isError: true };
    expect(besidesPrompt('en', [answer({ proposal }), answer(read)], isWrite)).toBeUndefined();
  });
});
