import { codeLine, postedAbout } from './compose-prompt';
import { judgeAnswer } from './judge-answer';
import type { AttestedMessage, Judgement, PromptFacts } from './judge-answer';
import type { Prompt } from './prompt';

/** Talk was asked to post the prompt, and said later that it has it. */
const TRIED = 995_000;
const POSTED = 1_000_000;
const TTL = 600_000;

const PROMPT: Prompt = {
  id: '3f0c6f0e-6f0e-4b5f-9d55-1f0b3f0c6f0e',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  thread: undefined,
  sub: 'users/alice',
  message: '1',
  code: 'K7F',
  language: 'en',
  zone: null,
  text: '**Delete /Docs/plan.md?** Reply *yes* or *no* within 10 minutes. (K7F)',
  state: 'asked',
  postedAt: POSTED,
  answer: null,
  told: false,
  titles: ['Delete /Docs/plan.md'],
};

const YES: AttestedMessage = {
  id: '2',
  kind: 'message',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  thread: undefined,
  sub: 'users/alice',
  at: POSTED + 1,
  text: 'yes',
  quoted: undefined,
};

const judge = (
  message: Partial<AttestedMessage>,
  facts: Partial<PromptFacts> = {},
  prompt: Partial<Prompt> = {},
): Judgement => {
  const asked = { ...PROMPT, ...prompt };
  return judgeAnswer(
    asked,
    { ...YES, ...message },
    {
      triedAt: TRIED,
      postedAt: POSTED,
      othersSince: false,
      ttlMs: TTL,
      names: { slug: 'nuq', name: 'NuQ', triggers: ['nuq'] },
      posted: postedAbout(asked),
      ...facts,
    },
  );
};

const quoting = (text: string, type = 'bots') => ({
  quoted: { actor: { type, id: 'bot-1', name: 'NuQ' }, text },
});

it('a "yes" of the same person in the same place approves, a "no" rejects', () => {
  expect(judge({})).toBe('approved');
  expect(judge({ text: '@nuq no!' })).toBe('rejected');
});

it.each<[string, Partial<AttestedMessage>]>([
  ['another person', { sub: 'users/bob' }],
  ['a guest with the same id', { sub: 'guests/alice' }],
  ['a federated user with the same id', { sub: 'federated_users/alice' }],
  ['a bot with the same id', { sub: 'bots/alice' }],
  ['somebody whose id differs in case', { sub: 'users/Alice' }],
  ['another room', { room: 'another1' }],
  ['another instance', { instance: 'other' }],
  ['another bot', { bot: 'aux' }],
  ['a thread', { thread: '99' }],
  ['the caption of a file', { kind: 'attachment' }],
  ['a reaction that was taken away', { kind: 'reaction_removed', text: '👍' }],
  ['before Talk was asked to post the prompt', { at: TRIED - 1 }],
  ['at the very moment Talk was asked', { at: TRIED }],
  ['an ordinary sentence', { text: 'what is in it?' }],
  ['the code alone', { text: 'K7F' }],
  ['another code', { text: 'yes X4Y' }],
  ['a reply to somebody', quoting('Shall we have lunch?', 'users')],
  ['a reply to something else of the bot', quoting('Shall I list your files?')],
  ['a reply to a person who wrote the words of the prompt', quoting(PROMPT.text, 'users')],
  ['a reply to the prompt without its end', quoting('**Delete /Docs/plan.md?**')],
])('a "yes" is ordinary from %s', (_what, over) => {
  expect(judge(over)).toBe('ordinary');
});

it('a prompt of a thread is answered in that thread', () => {
  expect(judge({ thread: '99' }, {}, { thread: '99' })).toBe('approved');
  expect(judge({}, {}, { thread: '99' })).toBe('ordinary');
});

it('nobody but a local user can confirm, whoever was asked', () => {
  expect(judge({ sub: 'guests/alice' }, {}, { sub: 'guests/alice' })).toBe('ordinary');
});

it('nothing is pending before Talk was asked to post the prompt', () => {
  expect(judge({}, { triedAt: null, postedAt: null })).toBe('ordinary');
});

describe.each([
  ['between the try to post the prompt and its acceptance', POSTED],
  ['while nobody knows whether Talk has taken the prompt', null],
])('%s', (_when, postedAt) => {
  const early = (message: Partial<AttestedMessage>, prompt: Partial<Prompt> = {}) =>
    judge({ at: TRIED + 1, ...message }, { postedAt }, prompt);

  it.each<[string, Partial<AttestedMessage>]>([
    ['bare', {}],
    ['with the code', { text: 'yes K7F' }],
    ['in a reply to the prompt', quoting(PROMPT.text)],
    ['at the last moment', { at: POSTED }],
  ])('a "yes" is asked for the code: %s', (_what, over) => {
    expect(early(over)).toBe('ask-code');
  });

  it('a "no" rejects', () => {
    expect(early({ text: 'no' })).toBe('rejected');
  });

  it.each<[string, Partial<AttestedMessage>]>([
    ['anything else', { text: 'what is in it?' }],
    ['a "yes" to something else', quoting('Shall I list your files?')],
    ['a "yes" of somebody else', { sub: 'users/bob' }],
    ['a "yes" in a thread', { thread: '99' }],
    ['a caption', { kind: 'attachment' }],
    ['a reaction', { kind: 'reaction_added', text: '👍' }],
  ])('is ordinary: %s', (_what, over) => {
    expect(early(over)).toBe('ordinary');
  });

  it('a closed prompt asks nothing', () => {
    expect(early({}, { state: 'expired' })).toBe('ordinary');
  });
});

describe('after the time is over', () => {
  it('begins to the millisecond', () => {
    expect(judge({ at: POSTED + TTL - 1 })).toBe('approved');
    expect(judge({ at: POSTED + TTL })).toBe('late');
  });

  it('a "yes" comes too late, with the code too, and anything else is no answer', () => {
    const at = POSTED + TTL;
    expect(judge({ at, text: 'yes K7F' })).toBe('late');
    expect(judge({ at, text: 'no' })).toBe('past');
    expect(judge({ at, text: 'hello' })).toBe('past');
    expect(judge({ at, kind: 'attachment' })).toBe('past');
    expect(judge({ at, thread: '99' })).toBe('past');
    expect(judge({ at, kind: 'reaction_added', text: '👍' })).toBe('ordinary');
  });

  it('also counts where somebody closed the prompt already', () => {
    expect(judge({}, {}, { state: 'expired' })).toBe('late');
  });
});

describe('when the bot has posted something else since', () => {
  const since = { othersSince: true };

  it('a bare "yes" needs the code', () => {
    expect(judge({}, since)).toBe('ask-code');
  });

  it('a "no" needs nothing', () => {
    expect(judge({ text: 'no' }, since)).toBe('rejected');
  });

  it.each<[string, Partial<AttestedMessage>]>([
    ['the code', { text: 'yes K7F' }],
    ['the code, in a reply to something else', { text: 'K7F yes', ...quoting('Shall we?', 'users') }],
    ['a reply to the prompt', quoting(PROMPT.text)],
    ['a reply to the prompt with other white space', quoting(` ${PROMPT.text.replaceAll(' ', '\n')}\u2060`)],
    ['a reply to the line with the code', quoting(codeLine(PROMPT))],
  ])('a "yes" with %s means the prompt', (_what, over) => {
    expect(judge(over, since)).toBe('approved');
  });
});

it('a "yes" read from the history of the room approves nothing, with the code neither; a "no" still rejects', () => {
  expect(judge({ text: 'yes', fromHistory: true })).toBe('ask-code');
  expect(judge({ text: 'yes K7F', fromHistory: true })).toBe('ask-code');
  expect(judge({ text: 'no', fromHistory: true })).toBe('rejected');
  expect(judge({ text: 'what?', fromHistory: true })).toBe('ordinary');
});

it('a reaction that agrees gets a hint, and any other nothing', () => {
  expect(judge({ kind: 'reaction_added', text: '👍🏽' })).toBe('hint');
  expect(judge({ kind: 'reaction_added', text: '👎' })).toBe('ordinary');
  expect(judge({ kind: 'reaction_added', text: 'yes' })).toBe('ordinary');
  expect(judge({ kind: 'reaction_added', text: '👍', sub: 'bots/nuq' })).toBe('ordinary');
});

it('the text of a closed prompt, which is empty, is quoted by nothing', () => {
  expect(judge(quoting(''), { othersSince: true }, { text: '' })).toBe('ordinary');
});
