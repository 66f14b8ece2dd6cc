import { MAX_RESULT_CHARACTERS, ToolResult } from '@nuqloud/contracts';
import fc from 'fast-check';
import { failedResult, fitText, resultOf } from './tool-result';

describe('a result', () => {
  it('is the text as it is while it fits', () => {
    expect(fitText({ text: 'x'.repeat(100) }, 100)).toBe('x'.repeat(100));
  });

  it('says how much was left out and how to get it', () => {
    const text = fitText({ text: 'x'.repeat(1_000), rest: 'Ask with a smaller `limit`.' }, 200);
    const [, kept, left] =
      /^(x+)\n\n\[(\d+) more characters were left out\. Ask with a smaller `limit`\.\]$/.exec(text) ?? [
        '',
        '',
        '',
      ];
    expect((kept?.length ?? 0) + Number(left)).toBe(1_000);
    expect(text.length).toBeLessThanOrEqual(200);
  });

  it('fits the contract whatever the text, and never ends inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        (text, max, isError) => {
          const result = isError ? failedResult(text, max) : resultOf({ text }, max);
          expect(ToolResult.parse(result)).toEqual({
            content: [{ type: 'text', text: expect.any(String) }],
            isError,
          });
          const written = result.content[0]?.text ?? '';
          expect(written.length).toBeLessThanOrEqual(Math.max(max, text.length <= max ? text.length : max));
          expect(written).not.toMatch(/\p{Surrogate}/u);
        },
      ),
    );
  });

  it('takes an answer of any length', () => {
    const result = resultOf({ text: '😀'.repeat(100_000) }, MAX_RESULT_CHARACTERS);
    expect(ToolResult.safeParse(result).success).toBe(true);
  });
});
