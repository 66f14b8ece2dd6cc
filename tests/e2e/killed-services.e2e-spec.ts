import { ProductApart } from './apart/product-apart';
import type { Room, Told } from './apart/room';

interface Ending {
  readonly told: Told;
  /** Requests for the deletion that reached Nextcloud. */
  readonly deletions: number;
}

/** Nobody hears when a tool service dies, so the caller waits its minute: these are begun first and looked at last. */
const TOOLS = [
  {
    name: 'unclaimed',
    where: 'before it has claimed',
    stop: ['bus', 'request', '"phase":"claim"'],
    ending: { told: 'done', deletions: 1 },
  },
  {
    name: 'claimed',
    where: 'between claim and act',
    stop: ['gateway', 'request', 'DELETE /nextcloud'],
    ending: { told: 'not known', deletions: 0 },
  },
  {
    name: 'unsettled',
    where: 'after the act, before it says so',
    stop: ['bus', 'request', '"phase":"settle"'],
    ending: { told: 'not known', deletions: 1 },
  },
] as const;

const GATEWAY = [
  {
    name: 'writeunsent',
    where: 'before the write leaves',
    what: 'request',
    ending: { told: 'not known', deletions: 0 },
  },
  {
    name: 'writeunheard',
    where: 'before it hears of the write',
    what: 'answer',
    ending: { told: 'not known', deletions: 1 },
  },
] as const;

const TALK = [
  ['postingunsent', 'request'],
  ['postingunheard', 'answer'],
] as const;
const promptRoom = (name: string) => `prompt${name}`;
const receiptRoom = (name: string) => `receipt${name}`;

const A_MINUTE = { deadlineMs: 80_000 };

let product: ProductApart;
const yesIn = new Map<string, number>();

const asked = async (name: string): Promise<Room> => {
  const room = product.room(name);
  await room.askForDeletion();
  await room.prompt();
  return room;
};

/** The person was told so, it is true, and the bot goes on. */
const endsWith = async (room: Room, yes: number, ending: Ending, deadlineMs?: number): Promise<void> => {
  expect(await room.toldAfter(yes, deadlineMs)).toBe(ending.told);
  await room.workEnds(yes);
  expect(await room.deletions()).toHaveLength(ending.deletions);
  expect(await room.fileExists()).toBe(ending.deletions === 0);
  expect(await room.help()).toContain('NuQ');
};

beforeAll(async () => {
  product = await ProductApart.start([
    ...TOOLS.map(({ name }) => name),
    ...GATEWAY.map(({ name }) => name),
    ...TALK.flatMap(([name]) => [promptRoom(name), receiptRoom(name)]),
    'outboxunheard',
  ]);
  await product.toolsAreThere('unclaimed');
  for (const { name, stop } of TOOLS) {
    const [neighbour, what, words] = stop;
    const room = await asked(name);
    const stands = product.wire('tool-files', neighbour).stopAt(what, words);
    yesIn.set(name, await room.write('yes'));
    await stands();
    await product.restart('tool-files');
  }
}, 180_000);

afterAll(() => product.close());

describe('a gateway that is killed', () => {
  it.each(GATEWAY)('$where leaves it unknown, and nothing is tried again', async ({ name, what, ending }) => {
    const room = await asked(name);
    const stands = product.wire('nextcloud-gateway', 'nextcloud').stopAt(what, 'DELETE /remote.php');
    const yes = await room.write('yes');
    await stands();
    await product.restart('nextcloud-gateway');
    await endsWith(room, yes, ending);
  });
});

describe('a talk-ingress that is killed', () => {
  const restartIngress = async () => {
    await product.kill('talk-ingress');
    await product.letPostingRunOut();
    await product.start('talk-ingress');
  };
  const stopPosting = (what: 'request' | 'answer', room: string) =>
    product
      .wire('talk-ingress', 'nextcloud')
      .stopAt(what, `POST /ocs/v2.php/apps/spreed/api/v1/bot/${room}/message`);

  it.each(TALK)('(%s) while it posts the prompt posts it all the same', async (name, what) => {
    const room = product.room(promptRoom(name));
    const stands = stopPosting(what, promptRoom(name));
    const ask = await room.askForDeletion();
    await stands();
    await restartIngress();
    await room.promptCounts(what === 'answer' ? 2 : 1);
    await room.workEnds(ask);
    await endsWith(room, await room.write('yes'), { told: 'done', deletions: 1 });
  });

  it.each(TALK)('(%s) while it posts the receipt posts it all the same', async (name, what) => {
    const room = await asked(receiptRoom(name));
    const stands = stopPosting(what, receiptRoom(name));
    const yes = await room.write('yes');
    await stands();
    await restartIngress();
    await endsWith(room, yes, { told: 'done', deletions: 1 });
    const answers = await room.answersTo(yes);
    expect(new Set(answers).size).toBe(1);
  });

  it('with a prompt in its outbox of which nobody knows yet posts it once', async () => {
    const room = product.room('outboxunheard');
    const stands = product
      .wire('talk-ingress', 'database')
      .stopAt('answer', 'INSERT INTO ingress_posts', 'confirm:');
    const ask = await room.askForDeletion();
    await stands();
    await restartIngress();
    await room.prompt();
    await room.workEnds(ask);
    expect(await room.prompts()).toHaveLength(1);
    expect(await room.answersTo(ask)).toHaveLength(1);
    await endsWith(room, await room.write('yes'), { told: 'done', deletions: 1 });
  });
});

describe('a tool service that is killed', () => {
  it.each(TOOLS)(
    '$where: the person knows within a minute',
    async ({ name, ending }) => {
      await endsWith(product.room(name), yesIn.get(name) ?? 0, ending, A_MINUTE.deadlineMs);
    },
    90_000,
  );
});
