import { isSingleEmoji } from './single-emoji';

describe('isSingleEmoji', () => {
  it.each(['👍', '👀', '❤️', '👍🏽', '👩‍👩‍👧', '🇩🇪', '1️⃣', '☕'])('takes %s', (emoji) => {
    expect(isSingleEmoji(emoji)).toBe(true);
  });

  it.each(['', 'a', '👍👍', '👍 ', ':)', 'ok', '1'])('refuses %j', (text) => {
    expect(isSingleEmoji(text)).toBe(false);
  });
});
