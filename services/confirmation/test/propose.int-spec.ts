import type { AttestationClaims, PlannedEffect, Proposal } from '@nuqloud/contracts';
import { actionHash, effectHash, TokenSigner } from '@nuqloud/platform';
import { ConfirmationBed, deletion, deletionEffect, newRoom } from './confirmation-bed';

let bed: ConfirmationBed;

beforeAll(async () => {
  bed = await ConfirmationBed.open();
});

afterAll(() => bed.close());

const planned = (over: Partial<AttestationClaims> = {}, file = '/Docs/plan.md') => ({
  action: deletion(file, over),
  effect: deletionEffect(file),
});

const call = (over: object = {}): Proposal => ({
  call: {
    provider: 'acme',
    tool: 'acme_send',
    label: 'Send a message',
    arguments: { to: 'bob', text: 'Hello *all*' },
    sources: ['notes.txt'],
    ...over,
  },
});

const rowOf = (id: string) =>
  bed.owner.confirmation.findUniqueOrThrow({ where: { id }, include: { actions: true } });

describe('a proposal', () => {
  it('that comes again is the same prompt, handed to Talk under the same name', async () => {
    const room = newRoom();
    const [first, second] = [await bed.ask(room), await bed.ask(room)];
    expect(second).toEqual(first);
    const posts = bed.posts.filter(({ confirmation }) => confirmation === first.confirmation);
    expect(new Set(posts.map((post) => JSON.stringify(post))).size).toBe(1);
    expect(await bed.owner.confirmation.count({ where: room })).toBe(1);
  });

  it('that comes twice at once to two replicas is one prompt', async () => {
    const replica = await bed.startService();
    const room = newRoom();
    const asked = await Promise.all(Array.from({ length: 6 }, () => bed.ask(room)));
    expect(new Set(asked.map(({ confirmation }) => confirmation)).size).toBe(1);
    await replica.close();
  });

  it('comes back as the same words after it was answered', async () => {
    const room = newRoom();
    const asked = await bed.ask(room);
    await bed.answer('no', room);
    const posts = bed.posts.length;
    expect(await bed.ask(room)).toEqual(asked);
    expect(bed.posts).toHaveLength(posts);
  });

  it('replaces what the same person was asked in that room, by any bot or in any thread', async () => {
    const room = newRoom();
    const first = await bed.ask({ ...room, message: '1' });
    const second = await bed.ask({ ...room, message: '2', bot: 'aux', thread: '77' });
    const other = await bed.ask({ ...room, message: '3', sub: 'users/bob' });
    expect((await rowOf(first.confirmation)).state).toBe('replaced');
    expect(await rowOf(first.confirmation)).toMatchObject({ text: '', actions: [{ action: null }] });
    expect((await rowOf(second.confirmation)).state).toBe('asked');
    expect((await rowOf(other.confirmation)).state).toBe('asked');
    const codes = await bed.owner.confirmation.findMany({ where: room, select: { code: true } });
    expect(new Set(codes.map(({ code }) => code)).size).toBe(3);
    expect(await bed.answer('yes', room)).toEqual({ v: 1, verdict: 'ordinary', open: false });
  });

  it('is asked in the language and zone of the person', async () => {
    const room = newRoom();
    const effect: PlannedEffect = {
      verb: 'files.restore-version',
      target: '/Docs/plan.md',
      facts: [{ kind: 'version-of', at: '2026-07-01T22:30:00.000Z' }],
    };
    const action = { ...deletion('/Docs/plan.md', room), effectHash: effectHash(effect) };
    const plan = await bed.plan([{ action, effect }]);
    const more = { language: 'de-AT', zone: 'Europe/Vienna' };
    const { text } = await bed.propose(await bed.attest({ ...room, message: '1567' }), [{ plan }], more);
    expect(text).toMatch(
      /^\*\*Eine frühere Version von \/Docs\/plan\.md zurückholen\?\*\* .*2\. Juli 2026.*00:30 war\./,
    );
    expect(text).toContain('*ja* oder *nein*');
  });

  it('takes a zone and a language that nobody knows', async () => {
    const room = newRoom();
    const plan = await bed.plan([planned(room)]);
    const more = { language: 'tlh', zone: 'Mars/Olympus\u0000' };
    const { text } = await bed.propose(await bed.attest(room), [{ plan }], more);
    expect(text).toContain('Reply *yes* or *no*');
  });

  it('keeps an action to the last bit', async () => {
    const room = newRoom();
    const action = {
      ...deletion('/Docs/plan.md', room),
      arguments: { content: 'NUL \u0000, 😀, \u2028 and "quotes"\n', numbers: [1e21, 0.1, -5], empty: {} },
    };
    const plan = await bed.plan([{ action, effect: deletionEffect('/Docs/plan.md') }]);
    await bed.propose(await bed.attest(room), [{ plan }]);
    const approved = await bed.answer('yes', room);
    if (approved.verdict !== 'approved' || approved.actions[0]?.state !== 'approved')
      throw new Error('not approved');
    expect(approved.actions[0].action).toEqual(action);
    expect(actionHash(approved.actions[0].action)).toBe(actionHash(action));
  });

  it('asks once for the actions of several plans and calls', async () => {
    const room = newRoom();
    const plans = [
      await bed.plan([planned(room), planned(room, '/Docs/b.md')]),
      await bed.plan([planned(room, '/c')]),
    ];
    const { text } = await bed.propose(await bed.attest(room), [...plans.map((plan) => ({ plan })), call()]);
    expect(text).toMatch(
      /^\*\*Do all of this\?\*\*\n\n1\. .*\n2\. .*\n3\. .*\n4\. \*\*Run Send a message\*\* – /,
    );
    expect(text).toContain('To: “bob”; text: “Hello \\*all\\*”.');
    expect(text).toContain(
      '⚠️ Before this I read what others wrote (notes.txt). Make sure that it is you who wants it.',
    );
  });
});

describe('is refused', () => {
  const refusal = (code: string): unknown =>
    expect.objectContaining({ code: `CONFIRM.${code}`, retryable: false });
  const proposing = async (proposals: Proposal[], over: Partial<AttestationClaims> = {}) =>
    bed.propose(await bed.attest({ room: 'refused1', message: '1567', ...over }), proposals);
  const here = { room: 'refused1' };
  const goodPlan = () => bed.plan([planned(here)]);

  afterEach(async () => {
    expect(await bed.owner.confirmation.count({ where: here })).toBe(0);
  });

  it.each<[string, Partial<AttestationClaims>, string]>([
    ['a reaction', { kind: 'reaction_added' }, 'INVALID_ATTESTATION'],
    ['an expired attestation', { iat: 1, exp: 2 }, 'INVALID_ATTESTATION'],
    ['a guest', { sub: 'guests/alice' }, 'NOT_A_LOCAL_USER'],
    ['a federated user', { sub: 'federated_users/alice@other.example' }, 'NOT_A_LOCAL_USER'],
    ['a bridge', { sub: 'bridged/alice' }, 'NOT_A_LOCAL_USER'],
    ['nobody', { sub: 'users/' }, 'NOT_A_LOCAL_USER'],
    ['another person', { sub: 'users/bob' }, 'OTHER_ASKER'],
    ['another message', { message: '9' }, 'OTHER_ASKER'],
    ['another room', { room: 'refused2' }, 'OTHER_ASKER'],
    ['another bot', { bot: 'aux' }, 'OTHER_ASKER'],
    ['a thread', { thread: '77' }, 'OTHER_ASKER'],
    ['another instance', { instance: 'other' }, 'OTHER_ASKER'],
  ])('from %s', async (_who, over, code) => {
    await expect(proposing([{ plan: await goodPlan() }], over)).rejects.toEqual(refusal(code));
  });

  it('for a bot that is not provisioned, or not in that instance', async () => {
    for (const place of [{ bot: 'ghost' }, { instance: 'other' }]) {
      const plan = await bed.plan([planned({ ...here, ...place })]);
      await expect(proposing([{ plan }], place)).rejects.toEqual(refusal('UNKNOWN_BOT'));
    }
  });

  it('with an attestation that somebody else signed', async () => {
    const forged = new TokenSigner('talk-ingress', (await bed.bed.keysOf('agent')).signing);
    const attestation = await bed.attest({}, forged);
    await expect(bed.propose(attestation, [{ plan: await goodPlan() }])).rejects.toEqual(
      refusal('INVALID_ATTESTATION'),
    );
  });

  it.each(['agent', 'confirmation', 'talk-ingress', 'nextcloud-gateway', 'tool-acme'])(
    'with a plan of %s, which may not plan',
    async (issuer) => {
      const plan = await bed.plan([planned(here)], issuer);
      await expect(proposing([{ plan }])).rejects.toEqual(refusal('INVALID_PLAN'));
    },
  );

  it('with a plan that the agent signed in the name of tool-files', async () => {
    const forged = new TokenSigner('tool-files', (await bed.bed.keysOf('agent')).signing);
    const plan = await bed.plan([planned(here)], forged);
    await expect(proposing([{ plan }])).rejects.toEqual(refusal('INVALID_PLAN'));
  });

  it.each<[string, object]>([
    ['has expired', { iat: 1, exp: 2 }],
    ['is for somebody else', { aud: 'agent' }],
    ['has no action', { actions: [] }],
  ])('with a plan that %s', async (_what, over) => {
    const plan = await bed.plan([planned(here)], 'tool-files', over);
    await expect(proposing([{ plan }])).rejects.toEqual(refusal('INVALID_PLAN'));
  });

  it('with something that is no plan', async () => {
    for (const plan of ['', 'x', 'a.b.c', await bed.attest(here)]) {
      await expect(proposing([{ plan }])).rejects.toEqual(refusal('INVALID_PLAN'));
    }
  });

  it('with a plan for the tools of another provider', async () => {
    const { action, effect } = planned(here);
    const plan = await bed.plan([{ action: { ...action, provider: 'acme' }, effect }]);
    await expect(proposing([{ plan }])).rejects.toEqual(refusal('INVALID_PLAN'));
  });

  it('with a hash that is not the one of the action', async () => {
    const plan = await bed.plan([{ ...planned(here), hash: actionHash(deletion('/other', here)) }]);
    await expect(proposing([{ plan }])).rejects.toEqual(refusal('HASH_MISMATCH'));
  });

  it('with an effect that is not the one the action is bound to', async () => {
    const plan = await bed.plan([{ ...planned(here), effect: deletionEffect('/other') }]);
    await expect(proposing([{ plan }])).rejects.toEqual(refusal('HASH_MISMATCH'));
  });

  it('with a bare call of one of our own tools', async () => {
    await expect(proposing([call({ provider: 'files', tool: 'files_delete' })])).rejects.toEqual(
      refusal('INVALID_PLAN'),
    );
  });

  it('with more than anybody could read', async () => {
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`a${n}`, n]));
    await expect(proposing([call({ arguments: many })])).rejects.toEqual(refusal('TOO_LONG'));
    await expect(proposing([call({ arguments: { text: 'x'.repeat(1_001) } })])).rejects.toEqual(
      refusal('TOO_LONG'),
    );
    await expect(proposing([call({ arguments: { ['x'.repeat(201)]: 1 } })])).rejects.toEqual(
      refusal('TOO_LONG'),
    );
    const long = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`a${n}`, 'x'.repeat(1_000)]));
    await expect(proposing([call({ arguments: long })])).rejects.toEqual(refusal('TOO_LONG'));
  });

  it('with more than ten actions', async () => {
    const plan = await bed.plan(Array.from({ length: 6 }, (_, n) => planned(here, `/${n}`)));
    await expect(proposing([{ plan }, { plan }])).rejects.toEqual(refusal('TOO_MANY_ACTIONS'));
  });
});

it('a prompt that Talk does not take is not asked, and the next try is the same prompt', async () => {
  const room = newRoom();
  bed.takesPosts = false;
  await expect(bed.ask(room)).rejects.toMatchObject({ code: 'CONFIRM.NOT_ASKED', retryable: true });
  expect(await bed.answer('yes', room)).toEqual({ v: 1, verdict: 'ordinary', open: true });
  bed.takesPosts = true;
  const asked = await bed.ask(room);
  expect(await bed.owner.confirmation.count({ where: room })).toBe(1);
  expect(await bed.answer('yes', room)).toMatchObject({
    verdict: 'approved',
    confirmation: asked.confirmation,
  });
});

it('without its record nothing is asked', async () => {
  const room = newRoom();
  const full = await bed.fillAudit();
  await expect(bed.ask(room)).rejects.toMatchObject({ retryable: true });
  expect(await bed.owner.confirmation.count({ where: room })).toBe(0);
  await full.empty();
  await bed.ask(room);
  expect((await bed.audit()).filter((record) => record.room === room.room)).toEqual([
    expect.objectContaining({
      service: 'confirmation',
      kind: 'action.proposed',
      person: 'users/alice',
      message: '1567',
      n: 1,
      tool: 'files_delete',
      mode: 'user',
      profile: null,
      targets: [{ id: '42', name: '/Docs/plan.md', revision: '"e1"' }],
    }),
  ]);
});
