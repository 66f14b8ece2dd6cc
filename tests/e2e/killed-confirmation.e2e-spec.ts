import { eventually } from '@nuqloud/testing';
import { ProductApart } from './apart/product-apart';
import type { Room } from './apart/room';

/** Where it is killed while it is asked to put the question, and which words it stops at. */
const PROPOSING = [
  [
    'unproposed',
    'before it has stored the question',
    'database',
    'request',
    ['INTO "public"."confirmations"'],
  ],
  ['unheard', 'after it has stored it', 'database', 'answer', ['INTO "public"."confirmations"', 'COMMIT']],
  ['unposted', 'before it hands it to Talk', 'bus', 'request', ['PUB talk.prompt ']],
] as const;

const JUDGING = [
  ['unjudged', 'before it knows what became of the prompt', 'bus', 'request', ['talk.prompt-fate']],
  ['unapproved', 'before it has stored the approval', 'database', 'request', ['SET "state"']],
  [
    'approved',
    'after it has stored the approval',
    'database',
    'answer',
    ['UPDATE "public"."confirmations"', 'COMMIT'],
  ],
] as const;

let product: ProductApart;
/** Whoever claims and hears nothing waits a minute: begun first and looked at last. */
let yesOfClaim: number;

const asked = async (name: string): Promise<Room> => {
  const room = product.room(name);
  await room.askForDeletion();
  await room.prompt();
  return room;
};

const isDoneOnce = async (room: Room, yes: number): Promise<void> => {
  expect(await room.toldAfter(yes)).toBe('done');
  await room.workEnds(yes);
  expect(await room.fileExists()).toBe(false);
  expect(await room.deletions()).toHaveLength(1);
  expect(await room.answersTo(yes)).toHaveLength(1);
  expect(await room.prompts()).toHaveLength(1);
};

beforeAll(async () => {
  product = await ProductApart.start([
    ...[...PROPOSING, ...JUDGING].map(([name]) => name),
    'claimed',
    'inhand',
    'settled',
  ]);
  await product.toolsAreThere('claimed');
  const room = await asked('claimed');
  const stands = product.wire('confirmation', 'database').stopAt('answer', "SET state = 'claimed'", 'COMMIT');
  yesOfClaim = await room.write('yes');
  await stands();
  await product.restart('confirmation');
}, 180_000);

afterAll(() => product.close());

describe('a confirmation that is killed', () => {
  it.each(PROPOSING)(
    '(%s) %s has it put once, and it can be answered',
    async (name, _where, to, what, words) => {
      const room = product.room(name);
      const stands = product.wire('confirmation', to).stopAt(what, ...words);
      const ask = await room.askForDeletion();
      await stands();
      await product.restart('confirmation');
      await room.prompt();
      await room.workEnds(ask);
      expect(await room.answersTo(ask)).toHaveLength(1);
      await isDoneOnce(room, await room.write('yes'));
    },
  );

  it.each(JUDGING)('(%s) %s has it done once', async (name, _where, to, what, words) => {
    const room = await asked(name);
    const stands = product.wire('confirmation', to).stopAt(what, ...words);
    const yes = await room.write('yes');
    await stands();
    await product.restart('confirmation');
    await isDoneOnce(room, yes);
  });

  it('while Nextcloud is at it: the person knows from the tool that it was done', async () => {
    const room = await asked('inhand');
    await room.slowDeletion(1_000);
    const yes = await room.write('yes');
    await eventually(async () => (await room.deletions()).length === 1, { describe: 'the deletion' });
    await product.kill('confirmation');
    await isDoneOnce(room, yes);
    await product.start('confirmation');
  });

  it('after it has stored the outcome: the person knows from the tool that it was done', async () => {
    const room = await asked('settled');
    const stands = product
      .wire('confirmation', 'database')
      .stopAt('answer', 'claim_hash', 'outcome = ', 'COMMIT');
    const yes = await room.write('yes');
    await stands();
    await product.restart('confirmation');
    await isDoneOnce(room, yes);
  });

  it('with a claim that its claimant has not heard of: nothing is done, and the person knows within a minute', async () => {
    const room = product.room('claimed');
    expect(await room.toldAfter(yesOfClaim, 80_000)).toBe('not known');
    await room.workEnds(yesOfClaim);
    expect(await room.deletions()).toEqual([]);
    expect(await room.fileExists()).toBe(true);
    expect(await room.help()).toContain('NuQ');
  }, 180_000);
});
