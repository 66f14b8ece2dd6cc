import { eventually } from '@nuqloud/testing';
import { ProductApart } from './apart/product-apart';
import type { Room } from './apart/room';

/** Where an agent is killed after the person said "yes": a name for the room, and at what it stops. */
const AFTER_YES = [
  ['yesstored', 'with the "yes" in its inbox and not judged', 'bus', 'request', 'confirm.answer'],
  [
    'yesunacked',
    'with the "yes" in its inbox and not acknowledged',
    'database',
    'answer',
    'INSERT INTO agent_inbox',
  ],
  ['judgedunheard', 'before it hears that the "yes" approves', 'bus', 'answer', 'confirm.answer'],
  ['approved', 'after the approval, before the act is begun', 'bus', 'request', 'tools.act.files'],
  ['actunheard', 'before it hears that it was done', 'bus', 'answer', 'tools.act.files'],
  ['receiptunsent', 'with a receipt that nobody has yet', 'bus', 'request', ':reply"'],
  ['receiptsent', 'with a receipt that is on its way', 'bus', 'answer', ':reply"'],
  ['endunnoted', 'before it notes the end', 'database', 'request', 'agent_receipts'],
] as const;

const BEFORE_YES = ['planned', 'plannoted', 'proposed', 'silent', 'inhand', 'undone'];

let product: ProductApart;

beforeAll(async () => {
  product = await ProductApart.start([...AFTER_YES.map(([room]) => room), ...BEFORE_YES]);
  await product.toolsAreThere('planned');
}, 180_000);

afterAll(() => product.close());

const restartAgent = async () => {
  await product.kill('agent');
  await product.letLeasesRunOut();
  await product.start('agent');
};

/** It was deleted by one request, the person was told so once, and the bot goes on. */
const isDoneOnce = async (room: Room, yes: number): Promise<void> => {
  expect(await room.toldAfter(yes)).toBe('done');
  await room.workEnds(yes);
  expect(await room.fileExists()).toBe(false);
  expect(await room.deletions()).toHaveLength(1);
  expect(await room.help()).toContain('NuQ');
  expect(await room.answersTo(yes)).toHaveLength(1);
};

const asked = async (name: string): Promise<Room> => {
  const room = product.room(name);
  await room.askForDeletion();
  await room.prompt();
  return room;
};

describe('an agent that is killed after the "yes"', () => {
  it.each(AFTER_YES)('(%s) %s has it done once', async (name, _where, neighbour, what, words) => {
    const room = await asked(name);
    const stands = product.wire('agent', neighbour).stopAt(what, words);
    const yes = await room.write('yes');
    await stands();
    await restartAgent();
    await isDoneOnce(room, yes);
  });

  it('while Nextcloud is at it has it done once', async () => {
    const room = await asked('inhand');
    await room.slowDeletion(1_000);
    const yes = await room.write('yes');
    await eventually(async () => (await room.deletions()).length === 1, { describe: 'the deletion' });
    await restartAgent();
    await isDoneOnce(room, yes);
  });

  it('with a deed that it has not noted can have it undone all the same', async () => {
    const room = await asked('undone');
    const stands = product.wire('agent', 'database').stopAt('request', '"kind":"reply"');
    const yes = await room.write('yes');
    await stands();
    await restartAgent();
    await isDoneOnce(room, yes);
    expect(await room.answerTo(await room.write('nuq undo'))).toContain(`Undone: \`${room.file}\``);
    expect(await room.fileExists()).toBe(true);
  });

  it('before the "yes" was written hears it when it is back', async () => {
    const room = await asked('silent');
    await product.kill('agent');
    const yes = await room.write('yes');
    await product.letLeasesRunOut();
    await product.start('agent');
    await isDoneOnce(room, yes);
  });
});

describe('an agent that is killed before the prompt', () => {
  it('with a plan that it has not noted says that it does not know, and nothing is done', async () => {
    const room = product.room('planned');
    const stands = product.wire('agent', 'database').stopAt('request', '"kind":"propose"');
    const ask = await room.askForDeletion();
    await stands();
    await restartAgent();
    expect(await room.answerTo(ask)).toMatch(/not known/i);
    expect(await room.prompts()).toEqual([]);
    expect(await room.deletions()).toEqual([]);
    expect(await room.fileExists()).toBe(true);
  });

  it.each([
    ['plannoted', 'before it proposes', 'request'],
    ['proposed', 'before it hears that it was proposed', 'answer'],
  ] as const)('(%s) %s has the question put once, and it can be answered', async (name, _where, what) => {
    const room = product.room(name);
    const stands = product.wire('agent', 'bus').stopAt(what, 'confirm.propose');
    const ask = await room.askForDeletion();
    await stands();
    await restartAgent();
    await room.prompt();
    await room.workEnds(ask);
    await isDoneOnce(room, await room.write('yes'));
    expect(await room.prompts()).toHaveLength(1);
  });
});
