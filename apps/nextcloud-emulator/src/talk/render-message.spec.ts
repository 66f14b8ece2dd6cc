import { plainText } from './render-message';

describe('plainText', () => {
  it('replaces known placeholders once and in one pass', () => {
    const parameters = {
      'mention-user1': { type: 'user', id: 'x', name: '{file}' },
      file: { type: 'file', name: 'plan.pdf' },
    };
    expect(plainText({ message: 'Hi {mention-user1}, {file} {unknown} {file}', parameters })).toBe(
      'Hi @{file}, plan.pdf {unknown} plan.pdf',
    );
  });
});
