import fc from 'fast-check';

/** Where a message can be written. The same people are in all rooms; a room of another instance may bear the same token. */
export const ROOMS = [
  { instance: 'default', room: 'roomone1', bots: ['nuq', 'aux'] },
  { instance: 'default', room: 'roomtwo2', bots: ['nuq'] },
  { instance: 'other', room: 'roomone1', bots: ['zed'] },
] as const;

/** The first is most at work; the others are somebody else with the same id, or the same id in another case. */
export const PEOPLE = [
  'users/alice',
  'users/bob',
  'guests/alice',
  'federated_users/alice',
  'bots/alice',
  'users/Alice',
];

export const YES = [
  'yes',
  'JA!',
  'Oui, s’il te plaît.',
  'sí',
  'certo',
  'oké',
  'tak',
  'sim',
  'ok 👍🏽',
  '👍',
  ' Yes\n',
  'go ahead',
];
export const NO = ['no', 'Nein, danke!', 'non', 'stop', 'nie', 'não', '👎', 'laat maar'];
export const NOTHING = [
  'yes?',
  'maybe',
  'what is in it?',
  'yes but not now',
  'ja ja',
  'no problem',
  'bitte',
  '',
  'yesterday',
];
export const AGREEING = ['👍', '👍🏿', '✅'];
export const OTHER_EMOJI = ['❤️', '👎', '👀'];

/** Small numbers pick people, rooms and earlier things; 0 is picked most. */
const few = (max: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max }) });
const thread = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('77', '78') },
);

const place = { room: few(ROOMS.length - 1), bot: few(1), thread };

const ask = fc.record({
  do: fc.constant('ask' as const),
  who: few(1),
  ...place,
  actions: fc.constantFrom<('files' | 'acme')[]>(['files'], ['files', 'files'], ['acme'], ['files', 'acme']),
  /** What becomes of the prompt in Talk. */
  fate: fc.oneof(
    { weight: 8, arbitrary: fc.constant('posted' as const) },
    { weight: 2, arbitrary: fc.constant('being posted' as const) },
    { weight: 2, arbitrary: fc.constant('waiting' as const) },
    { weight: 1, arbitrary: fc.constant('failed' as const) },
  ),
  later: fc.constantFrom(0, 1, 1_000, 20_000),
});

/** Most is said where the last prompt is, or differs from that in one respect. */
const NEAR = [
  'there',
  'there',
  'there',
  'there',
  'there',
  'there',
  'other person',
  'guest',
  'other case',
  'other room',
  'other instance',
  'other bot',
  'other thread',
  'anywhere',
  'anywhere',
] as const;

const say = fc.record({
  do: fc.constant('say' as const),
  near: fc.constantFrom(...NEAR),
  who: few(PEOPLE.length - 1),
  ...place,
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('message' as const) },
    { weight: 1, arbitrary: fc.constant('attachment' as const) },
    { weight: 2, arbitrary: fc.constant('reaction_added' as const) },
    { weight: 1, arbitrary: fc.constant('reaction_removed' as const) },
  ),
  means: fc.oneof(
    { weight: 8, arbitrary: fc.constant('yes' as const) },
    { weight: 1, arbitrary: fc.constant('no' as const) },
    { weight: 2, arbitrary: fc.constant('nothing' as const) },
  ),
  wording: fc.nat({ max: 50 }),
  /** By which name the bot is called first. */
  called: fc.constantFrom('', '', '', '@', 'name'),
  code: fc.oneof(
    { weight: 3, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom('own', 'own', 'alone', 'old', 'invented') },
  ),
  codeFirst: fc.boolean(),
  quotes: fc.oneof(
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('prompt', 'line', 'old prompt', 'copy by a person', 'something else'),
    },
  ),
  /** Both bots of the room hear it. */
  toAllBots: fc.boolean(),
  /** Both replicas are asked at the same moment. */
  twiceAtOnce: fc.boolean(),
});

const step = fc.oneof(
  { weight: 6, arbitrary: ask },
  { weight: 14, arbitrary: say },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('say again' as const), which: few(6), twiceAtOnce: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask again' as const), which: few(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('talk takes what waits' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bot posts' as const),
      near: fc.boolean(),
      room: few(2),
      bot: few(1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('time passes' as const),
      ms: fc.constantFrom(
        1,
        1_000,
        30_000,
        61_000,
        299_000,
        599_999,
        600_000,
        1_199_000,
        1_860_000,
        2_460_000,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('the last prompt ends' as const), ms: fc.constantFrom(-1, 0) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clocks jump' as const),
      ms: fc.integer({ min: -1_500_000, max: 1_500_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clocks differ' as const),
      ms: fc.integer({ min: -60_000, max: 60_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('service restarts' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('service sweeps' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('talk-ingress fails' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('audit fails' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      grants: fc.array(few(5), { minLength: 1, maxLength: 2 }),
      by: fc.constantFrom('right', 'right', 'right', 'tool-files', 'agent', 'tool-acme', 'nextcloud-gateway'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      which: few(3),
      outcome: fc.constantFrom<'done' | 'failed' | 'unknown'>('done', 'done', 'failed', 'unknown'),
    }),
  },
);

export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A play begins with a question, because before the first one nothing can happen. */
export const plays: fc.Arbitrary<Step[]> = fc
  .tuple(ask, fc.array(step, { minLength: 3, maxLength: 8 }))
  .map(([first, others]) => [first, ...others]);
