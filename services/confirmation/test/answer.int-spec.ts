import { randomBytes } from 'node:crypto';
import type { AnswerConfirmationReply, RepliedMessage } from '@nuqloud/contracts';
import { AnswerConfirmation, quotationToHash } from '@nuqloud/contracts';
import { sha256, TokenSigner } from '@nuqloud/platform';
import { claimsOf, ConfirmationBed, deletion, deletionEffect, newRoom } from './confirmation-bed';

let bed: ConfirmationBed;

beforeAll(async () => {
  bed = await ConfirmationBed.open();
});

afterAll(() => bed.close());

const MINUTE = 60_000;

const grantOf = (reply: AnswerConfirmationReply, n = 1): string => {
  const action = reply.verdict === 'approved' ? reply.actions[n - 1] : undefined;
  if (action?.state !== 'approved') throw new Error(`Not approved: ${reply.verdict} ${action?.state}`);
  return action.grant;
};

const rowOf = (id: string) =>
  bed.owner.confirmation.findUniqueOrThrow({ where: { id }, include: { actions: true } });

const quote = (text: string): RepliedMessage => ({
  messageId: '1600',
  actor: { type: 'bots', id: 'bot-abc', name: 'NuQ' },
  text,
});

const linesOf = (confirmation: string, part: string) =>
  bed.posts.filter((post) => post.confirmation === confirmation && post.part === part);

it('a "no" cancels, and leaves nothing of the action', async () => {
  const room = newRoom();
  const asked = await bed.ask(room);
  const rejected = {
    v: 1,
    verdict: 'rejected',
    open: false,
    confirmation: asked.confirmation,
    titles: ['Delete /Docs/plan.md'],
  };
  expect(await bed.answer('Nein, danke!', room)).toEqual(rejected);
  expect(await bed.answer('Nein, danke!', room)).toEqual(rejected);
  expect(await bed.answer('yes', { ...room, message: '2002' })).toEqual({
    v: 1,
    verdict: 'ordinary',
    open: false,
  });
  expect(await rowOf(asked.confirmation)).toMatchObject({
    state: 'rejected',
    text: '',
    actions: [{ action: null }],
  });
});

it('a grant is for one action, one minute and whoever provides the tool', async () => {
  const room = newRoom();
  const asked = await bed.ask(room);
  const reply = await bed.answer('yes', room);
  const grant = claimsOf(grantOf(reply));
  expect(grant).toMatchObject({
    iss: 'confirmation',
    aud: 'files',
    confirmation: asked.confirmation,
    n: 1,
    sub: 'users/alice',
    message: '2001',
  });
  expect(grant.exp - grant.iat).toBe(60);
});

it('the "yes" that is asked about again grants again what nobody took', async () => {
  const room = newRoom();
  await bed.ask(room);
  const [first, second] = [grantOf(await bed.answer('yes', room)), grantOf(await bed.answer('yes', room))];
  expect(claimsOf(first).jti).not.toBe(claimsOf(second).jti);
  await bed.claim(second);
  await expect(bed.claim(first)).rejects.toMatchObject({ code: 'CONFIRM.ALREADY_CLAIMED' });
  expect(await bed.answer('yes', room)).toMatchObject({ actions: [{ state: 'claimed' }] });
});

it('a grant ends with the attestation of the "yes"', async () => {
  const room = newRoom();
  await bed.ask(room);
  const exp = Math.floor(Date.now() / 1_000) + 20;
  expect(claimsOf(grantOf(await bed.answer('yes', { ...room, exp }))).exp).toBe(exp);
});

describe('what the agent relays is believed only as far as it is signed', () => {
  const room = newRoom();
  const invalid = { code: 'CONFIRM.INVALID_ATTESTATION' };
  const answer = (attestation: string, text: string, quoted?: RepliedMessage) =>
    bed.agent.request(AnswerConfirmation, {}, { v: 1, attestation, text, ...(quoted && { quoted }) });

  beforeAll(() => bed.ask(room));
  afterAll(async () => {
    expect((await bed.owner.confirmation.findFirstOrThrow({ where: room })).state).toBe('asked');
  });

  it('another text is refused', async () => {
    await expect(answer(await bed.attest({ ...room, text: 'hello' }), 'yes')).rejects.toMatchObject(invalid);
  });

  it('an attestation that the agent signed is refused', async () => {
    const forged = new TokenSigner('talk-ingress', (await bed.bed.keysOf('agent')).signing);
    await expect(answer(await bed.attest({ ...room, text: 'yes' }, forged), 'yes')).rejects.toMatchObject(
      invalid,
    );
  });

  it('an expired attestation is refused', async () => {
    const at = Date.now() - 31 * MINUTE;
    await expect(answer(await bed.attest({ ...room, text: 'yes', at }), 'yes')).rejects.toMatchObject(
      invalid,
    );
  });

  it('a quotation that was added, changed or left out is refused', async () => {
    const { text } = await bed.owner.confirmation.findFirstOrThrow({ where: room });
    const quotedHash = sha256(quotationToHash(quote('Shall I list your files?')));
    await expect(
      answer(await bed.attest({ ...room, text: 'yes' }), 'yes', quote(text)),
    ).rejects.toMatchObject(invalid);
    await expect(
      answer(await bed.attest({ ...room, text: 'yes', quotedHash }), 'yes', quote(text)),
    ).rejects.toMatchObject(invalid);
    await expect(answer(await bed.attest({ ...room, text: 'yes', quotedHash }), 'yes')).rejects.toMatchObject(
      invalid,
    );
  });

  it('what is no token is refused', async () => {
    await expect(answer('x', 'yes')).rejects.toMatchObject(invalid);
  });
});

describe('when the bot has posted something else since', () => {
  it('a bare "yes" gets the code again, in one line per message, and then the code counts', async () => {
    const room = newRoom();
    const asked = await bed.ask(room);
    bed.fates.set(asked.confirmation, { postedAt: Date.now() - 1_000, othersSince: true });
    expect(await bed.answer('yes', room)).toEqual({ v: 1, verdict: 'consumed', open: true });
    expect(await bed.answer('yes', room)).toEqual({ v: 1, verdict: 'consumed', open: true });
    const lines = linesOf(asked.confirmation, 'code');
    const [, code = ''] = /\((\w{3})\)$/.exec(linesOf(asked.confirmation, 'prompt')[0]?.text ?? '') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual(lines[1]);
    expect(lines[0]).toMatchObject({ cause: '2001', replyTo: '2001' });
    expect(lines[0]?.text).toContain(`yes ${code}`);
    expect(await bed.answer(`yes ${code}`, { ...room, message: '2002' })).toMatchObject({
      verdict: 'approved',
    });
  });

  it.each(['prompt', 'code'])('a reply to the %s means it', async (part) => {
    const room = newRoom();
    const asked = await bed.ask(room);
    bed.fates.set(asked.confirmation, { postedAt: Date.now() - 1_000, othersSince: true });
    await bed.answer('yes', room);
    const text = linesOf(asked.confirmation, part)[0]?.text ?? '';
    const reply = await bed.answer('yes', { ...room, message: '2002' }, quote(text.replaceAll(' ', '  ')));
    expect(reply.verdict).toBe('approved');
  });
});

describe('before Talk has said that it has the prompt', () => {
  const beingPosted = async () => {
    const room = newRoom();
    const asked = await bed.ask(room);
    const triedAt = Date.now() - 1_000;
    bed.fates.set(asked.confirmation, { triedAt, postedAt: null });
    return { room, asked, triedAt };
  };

  it('a quick "yes" gets the code, and the code counts once Talk has it', async () => {
    const { room, asked, triedAt } = await beingPosted();
    const at = triedAt + 500;
    expect(await bed.answer('yes', { ...room, at })).toEqual({ v: 1, verdict: 'consumed', open: true });
    bed.fates.set(asked.confirmation, { triedAt, postedAt: at });
    expect(await bed.answer('yes', { ...room, at })).toEqual({ v: 1, verdict: 'consumed', open: true });
    expect(linesOf(asked.confirmation, 'code')[0]).toMatchObject({ cause: '2001', replyTo: '2001' });
    const [, code = ''] = /\((\w{3})\)$/.exec(linesOf(asked.confirmation, 'prompt')[0]?.text ?? '') ?? [];
    expect(await bed.answer(`yes ${code}`, { ...room, message: '2002' })).toMatchObject({
      verdict: 'approved',
    });
  });

  it('a quick "no" rejects', async () => {
    const { room } = await beingPosted();
    expect(await bed.answer('no', room)).toMatchObject({ verdict: 'rejected', open: false });
  });

  it('a "yes" from before the prompt was tried is ordinary', async () => {
    const { room, asked, triedAt } = await beingPosted();
    expect(await bed.answer('yes', { ...room, at: triedAt })).toEqual({
      v: 1,
      verdict: 'ordinary',
      open: true,
    });
    expect(linesOf(asked.confirmation, 'code')).toEqual([]);
  });
});

it('a thumb gets the hint to write, under one name for the prompt', async () => {
  const room = newRoom();
  const asked = await bed.ask(room);
  for (const message of ['1600', '1601']) {
    const over = { ...room, kind: 'reaction_added' as const, message };
    expect(await bed.answer('👍', over)).toEqual({ v: 1, verdict: 'consumed', open: true });
  }
  const hints = linesOf(asked.confirmation, 'hint');
  expect(hints).toHaveLength(2);
  expect(hints[0]).toEqual(hints[1]);
  expect(hints[0]).not.toHaveProperty('cause');
  expect(await bed.answer('❤️', { ...room, kind: 'reaction_added' })).toMatchObject({ verdict: 'ordinary' });
  expect(await bed.answer('yes', room)).toMatchObject({ verdict: 'approved' });
});

it('a reaction to the message whose number is that of the "yes" is no "yes"', async () => {
  const room = newRoom();
  await bed.ask(room);
  await bed.answer('yes', room);
  expect(await bed.answer('👍', { ...room, kind: 'reaction_added', message: '2001' })).toMatchObject({
    verdict: 'ordinary',
  });
});

describe('after the ten minutes', () => {
  const askedLongAgo = async () => {
    const room = newRoom();
    const asked = await bed.ask(room);
    bed.fates.set(asked.confirmation, { postedAt: Date.now() - 11 * MINUTE });
    return { room, asked };
  };

  it('the next message is told that it is too late, once', async () => {
    const { room, asked } = await askedLongAgo();
    expect(await bed.answer('hello', room)).toEqual({ v: 1, verdict: 'ordinary', open: false });
    expect(linesOf(asked.confirmation, 'expired')).toEqual([
      expect.objectContaining({
        text: 'Too late: “Delete /Docs/plan.md” was not done. Ask me again if you still want it.',
      }),
    ]);
    expect(await bed.answer('yes', { ...room, message: '2002' })).toEqual({
      v: 1,
      verdict: 'ordinary',
      open: false,
    });
    expect(linesOf(asked.confirmation, 'expired')).toHaveLength(1);
    expect(await rowOf(asked.confirmation)).toMatchObject({
      state: 'expired',
      text: '',
      actions: [{ action: null }],
    });
  });

  it('a "yes" is used up by that, also when it is asked about again', async () => {
    const { room, asked } = await askedLongAgo();
    const consumed = { v: 1, verdict: 'consumed', open: false };
    expect(await bed.answer('yes', room)).toEqual(consumed);
    expect(await bed.answer('yes', room)).toEqual(consumed);
    expect(linesOf(asked.confirmation, 'expired')).toHaveLength(1);
  });

  it('a "yes" in time counts, however late it is judged', async () => {
    const { room } = await askedLongAgo();
    expect(await bed.answer('yes', { ...room, at: Date.now() - 2 * MINUTE })).toMatchObject({
      verdict: 'approved',
    });
  });

  it('nothing is used up while the person cannot be told', async () => {
    const { room, asked } = await askedLongAgo();
    bed.takesPosts = false;
    await expect(bed.answer('yes', room)).rejects.toMatchObject({ retryable: true });
    bed.takesPosts = true;
    expect(await bed.answer('yes', room)).toMatchObject({ verdict: 'consumed' });
    expect(linesOf(asked.confirmation, 'expired')).toHaveLength(1);
  });
});

it('a prompt that Talk never took is no question', async () => {
  const room = newRoom();
  const asked = await bed.ask(room);
  bed.fates.set(asked.confirmation, { postedAt: null, state: 'failed' });
  expect(await bed.answer('yes', room)).toEqual({ v: 1, verdict: 'ordinary', open: false });
  bed.fates.set(asked.confirmation, { postedAt: Date.now() - 1_000 });
  expect(await bed.answer('yes', { ...room, message: '2002' })).toEqual({
    v: 1,
    verdict: 'ordinary',
    open: false,
  });
});

it('of several that answer at once to two replicas one ends it', async () => {
  const replica = await bed.startService();
  for (let round = 0; round < 5; round += 1) {
    const room = newRoom();
    await bed.ask(room);
    const texts = ['yes', 'no', 'oui', 'nein', 'ja', 'non'];
    const replies = await Promise.all(
      texts.map((text, n) => bed.answer(text, { ...room, message: `${3000 + n}` })),
    );
    expect(replies.filter(({ verdict }) => verdict !== 'ordinary')).toHaveLength(1);
  }
  await replica.close();
});

it('without its record a "yes" approves nothing, and is good afterwards', async () => {
  const room = newRoom();
  const asked = await bed.ask(room);
  const full = await bed.fillAudit();
  await expect(bed.answer('yes', room)).rejects.toMatchObject({ retryable: true });
  expect((await rowOf(asked.confirmation)).state).toBe('asked');
  await full.empty();
  expect(await bed.answer('yes', room)).toMatchObject({ verdict: 'approved' });
  const answers = (await bed.audit()).filter(
    ({ room: of, kind }) => of === room.room && kind === 'confirmation.answered',
  );
  expect(answers).toEqual([
    expect.objectContaining({ verdict: 'approved', message: '2001', person: 'users/alice' }),
  ]);
});

it('when the "yes" has become too old, what it came to can still be asked, and nothing begins', async () => {
  const room = newRoom();
  const plan = await bed.plan([
    { action: deletion('/a', room), effect: deletionEffect('/a') },
    { action: deletion('/b', room), effect: deletionEffect('/b') },
  ]);
  const asked = await bed.propose(await bed.attest(room), [{ plan }]);
  const { claim } = await bed.claim(grantOf(await bed.answer('yes', room)));
  await bed.settle(claim, { state: 'failed', text: '/a has changed since you were asked.' });
  const exp = Math.floor(Date.now() / 1_000) - 1;
  expect(await bed.answer('yes', { ...room, exp })).toMatchObject({
    verdict: 'approved',
    confirmation: asked.confirmation,
    actions: [
      { n: 1, state: 'settled', outcome: { state: 'failed' } },
      { n: 2, state: 'lapsed' },
    ],
  });
});

it('neither logs nor audit hold what was written, in the file or in the room', async () => {
  const room = newRoom();
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  const action = { ...deletion(`/${canary}-name`, room), arguments: { content: canary } };
  const plan = await bed.plan([{ action, effect: deletionEffect(`/${canary}-name`) }]);
  const asked = await bed.propose(await bed.attest(room), [{ plan }]);
  await bed.answer(`${canary} what?`, { ...room, message: '2000' });
  const { claim } = await bed.claim(grantOf(await bed.answer('yes', room)));
  await bed.settle(claim, { state: 'done', text: `${canary} is gone.` });
  expect(bed.log.join('\n')).not.toContain(canary);
  const names = JSON.stringify(await bed.audit()).replaceAll(`/${canary}-name`, '');
  expect(names).not.toContain(canary);
  const rows = JSON.stringify([await rowOf(asked.confirmation)]).replaceAll(`${canary}-name`, '');
  expect(rows.replaceAll(`${canary} is gone.`, '')).not.toContain(canary);
});
