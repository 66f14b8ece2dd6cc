import { ConfirmationBed } from './confirmation-bed';

let bed: ConfirmationBed;

beforeAll(async () => {
  bed = await ConfirmationBed.open();
});

afterAll(() => bed.close());

/** A room of its own for each test. */
let rooms = 0;
const newRoom = () => ({ room: `room${String((rooms += 1)).padStart(4, '0')}` });

describe('from the question to the outcome', () => {
  it('asks, approves, lets one claim and remembers how it went', async () => {
    const room = newRoom();
    const asked = await bed.ask(room);
    expect(asked.text).toMatch(
      /^\*\*Delete \/Docs\/plan\.md\?\*\* 12 KB, Bob can also open it\. It goes to the trash; you can restore it\. Reply \*yes\* or \*no\* within 10 minutes\. \([A-Z]\d[A-Z]\)$/,
    );
    expect(bed.posts.at(-1)).toMatchObject({ part: 'prompt', text: asked.text, replyTo: '1567' });
    const approved = await bed.answer('nuq: Yes!', room);
    if (approved.verdict !== 'approved') throw new Error(approved.verdict);
    expect(approved).toMatchObject({ open: false, confirmation: asked.confirmation });
    const [action] = approved.actions;
    if (action?.state !== 'approved') throw new Error(action?.state);
    const { claim, deadline } = await bed.claim(action.grant);
    expect(Date.parse(deadline)).toBeGreaterThan(Date.now());
    await expect(bed.claim(action.grant)).rejects.toMatchObject({ code: 'CONFIRM.ALREADY_CLAIMED' });
    await bed.settle(claim, { state: 'done', text: 'Deleted /Docs/plan.md.' });
    expect(await bed.answer('nuq: Yes!', room)).toMatchObject({
      verdict: 'approved',
      actions: [{ n: 1, state: 'settled', outcome: { state: 'done', text: 'Deleted /Docs/plan.md.' } }],
    });
    const [row] = await bed.owner.confirmationAction.findMany({
      where: { confirmationId: asked.confirmation },
    });
    expect(row).toMatchObject({ state: 'done', action: null, claimant: 'tool-files' });
    expect((await bed.audit()).map((record) => record.kind)).toEqual([
      'action.proposed',
      'confirmation.answered',
      'action.claimed',
      'action.settled',
    ]);
  });
});
