import type { GrantClaims } from '@nuqloud/contracts';
import { ClaimApproval, GRANT_TYPE } from '@nuqloud/contracts';
import { effectHash, TokenSigner } from '@nuqloud/platform';
import { eventually } from '@nuqloud/testing';
import { claimsOf, ConfirmationBed, deletion, deletionEffect, newRoom } from './confirmation-bed';

let bed: ConfirmationBed;

beforeAll(async () => {
  bed = await ConfirmationBed.open();
});

afterAll(() => bed.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const invalid = { code: 'CONFIRM.INVALID_GRANT', retryable: false };
const taken = { code: 'CONFIRM.ALREADY_CLAIMED', retryable: false };

/** A grant for an approved deletion, with its room and prompt. */
const approve = async () => {
  const room = newRoom();
  const { confirmation } = await bed.ask(room);
  const reply = await bed.answer('yes', room);
  if (reply.verdict !== 'approved' || reply.actions[0]?.state !== 'approved') throw new Error(reply.verdict);
  return { room, confirmation, grant: reply.actions[0].grant };
};

const actionOf = (confirmationId: string) =>
  bed.owner.confirmationAction.findUniqueOrThrow({ where: { confirmationId_n: { confirmationId, n: 1 } } });

const claimWith = (grant: string, proof: string) =>
  bed.agent.request(ClaimApproval, {}, { v: 1, phase: 'claim', grant, proof });

describe('an approval', () => {
  it('is taken by one of many who try at once, at two replicas', async () => {
    const replica = await bed.startService();
    const { grant, room } = await approve();
    const again = await bed.answer('yes', room);
    const other =
      again.verdict === 'approved' && again.actions[0]?.state === 'approved' ? again.actions[0].grant : '';
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => bed.claim(n % 2 === 0 ? grant : other)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of tries) if (result.status === 'rejected') expect(result.reason).toMatchObject(taken);
    await replica.close();
  });

  it.each(['agent', 'confirmation', 'talk-ingress', 'nextcloud-gateway', 'tool-acme'])(
    'of our own tool is not for %s',
    async (issuer) => {
      const { grant, confirmation } = await approve();
      await expect(bed.claim(grant, issuer)).rejects.toMatchObject(invalid);
      expect((await actionOf(confirmation)).state).toBe('asked');
    },
  );

  it('of a third party is for the agent alone', async () => {
    const room = newRoom();
    const call = { provider: 'acme', tool: 'acme_send', label: 'Send', arguments: {}, sources: [] };
    await bed.propose(await bed.attest(room), [{ call }]);
    const reply = await bed.answer('yes', room);
    if (reply.verdict !== 'approved' || reply.actions[0]?.state !== 'approved')
      throw new Error(reply.verdict);
    const { grant, action } = reply.actions[0];
    expect(action).toEqual({
      ...deletion('', room),
      provider: 'acme',
      tool: 'acme_send',
      arguments: {},
      targets: [],
      effectHash: effectHash({ verb: 'call', target: 'Send', facts: [] }),
    });
    for (const issuer of ['tool-acme', 'tool-files']) {
      await expect(bed.claim(grant, issuer)).rejects.toMatchObject(invalid);
    }
    expect(await bed.claim(grant, 'agent')).toMatchObject({ phase: 'claim' });
  });

  it('needs a proof that is new, for this grant, and of the claimant', async () => {
    const { grant } = await approve();
    const { jti } = claimsOf(grant);
    const now = Math.floor(Date.now() / 1_000);
    const forged = new TokenSigner('tool-files', (await bed.bed.keysOf('agent')).signing);
    for (const proof of [
      await bed.proof('another-grants-jti-0000'),
      await bed.proof(jti, 'tool-files', { exp: now + 3_600 }),
      await bed.proof(jti, 'tool-files', { iat: now + 3_000, exp: now + 3_010 }),
      await bed.proof(jti, 'tool-files', { iat: now - 60, exp: now - 30 }),
      await bed.proof(jti, 'tool-files', { aud: 'agent' }),
      await bed.proof(jti, forged),
      grant,
      'x',
    ]) {
      await expect(claimWith(grant, proof)).rejects.toMatchObject(invalid);
    }
    expect(await bed.claim(grant)).toMatchObject({ phase: 'claim' });
  });

  it('cannot be made, changed or lengthened by anybody else', async () => {
    const { grant, confirmation, room } = await approve();
    const claims = claimsOf(grant) as GrantClaims;
    const sign = (over: object, signer: TokenSigner) => signer.sign(GRANT_TYPE, { ...claims, ...over });
    const agent = new TokenSigner('confirmation', (await bed.bed.keysOf('agent')).signing);
    const own = bed.signer('confirmation');
    for (const forged of [
      await sign({}, agent),
      await sign({}, bed.signer('agent')),
      await sign({ exp: 1 }, own),
      // Even with the right key: it must be what stands in the table.
      await sign({ n: 2 }, own),
      await sign({ hash: '0'.repeat(64) }, own),
      await sign({ sub: 'users/bob' }, own),
      await sign({ message: '9' }, own),
      await sign({ confirmation: (await bed.ask({ ...room, message: '7' })).confirmation }, own),
      `${grant.slice(0, -4)}AAAA`,
    ]) {
      const proof = await bed.proof(claims.jti);
      await expect(claimWith(forged, proof)).rejects.toMatchObject(invalid);
    }
    expect((await actionOf(confirmation)).state).toBe('asked');
  });

  it('is not given without its record', async () => {
    const { grant, confirmation } = await approve();
    const full = await bed.fillAudit();
    await expect(bed.claim(grant)).rejects.toMatchObject({ retryable: true });
    expect(await actionOf(confirmation)).toMatchObject({ state: 'asked', claimant: null, grantId: null });
    await full.empty();
    await bed.claim(grant);
    const claims = (await bed.audit()).filter((record) => record.kind === 'action.claimed');
    expect(claims.filter((record) => record.confirmation === confirmation)).toEqual([
      expect.objectContaining({ claimant: 'tool-files', n: 1, tool: 'files_delete', message: '2001' }),
    ]);
  });
});

describe('a claim', () => {
  it('is settled by its token alone', async () => {
    await expect(bed.settle('x'.repeat(43), { state: 'done', text: '' })).rejects.toMatchObject({
      code: 'CONFIRM.UNKNOWN_CLAIM',
    });
  });

  it('keeps the outcome that was settled first', async () => {
    const { grant, room } = await approve();
    const { claim } = await bed.claim(grant);
    await bed.settle(claim, { state: 'failed', text: 'It has changed.' });
    await bed.settle(claim, { state: 'done', text: 'It is done.' });
    expect(await bed.answer('yes', room)).toMatchObject({
      actions: [{ outcome: { state: 'failed', text: 'It has changed.' } }],
    });
  });

  it('brings back the whole outcome, whatever is in it', async () => {
    const { grant, room } = await approve();
    const { claim } = await bed.claim(grant);
    const outcome = {
      state: 'done' as const,
      text: 'NUL \u0000 and 😀',
      receipt: {
        action: 'files.delete',
        target: '/Docs/plan.md',
        undo: { tool: 'files_restore', arguments: { trash_id: 'plan.md.d1' } },
      },
    };
    await bed.settle(claim, outcome);
    expect(await bed.answer('yes', room)).toMatchObject({ actions: [{ state: 'settled', outcome }] });
  });

  it('that outlives its deadline is unknown, at once and for good, until its executor says how it went', async () => {
    const { grant, confirmation, room } = await approve();
    const { claim, deadline } = await bed.claim(grant);
    expect(Date.parse(deadline) - Date.now()).toBeLessThanOrEqual(MINUTE);
    await bed.owner.confirmationAction.updateMany({
      where: { confirmationId: confirmation },
      data: { claimDeadline: new Date(Date.now() - 1) },
    });
    const unknown = {
      actions: [
        {
          state: 'settled',
          outcome: {
            state: 'unknown',
            text: 'I cannot tell whether this was done: Delete /Docs/plan.md. Please look for yourself before you ask again.',
          },
        },
      ],
    };
    expect(await bed.answer('yes', room)).toMatchObject(unknown);
    // A service sweeps when it starts.
    const replica = await bed.startService();
    await eventually(async () => (await actionOf(confirmation)).state === 'unknown', {
      describe: 'the sweep',
    });
    await replica.close();
    expect(await bed.answer('yes', room)).toMatchObject(unknown);
    await expect(bed.claim(grant)).rejects.toMatchObject(taken);
    await bed.settle(claim, { state: 'done', text: 'Deleted.' });
    expect(await bed.answer('yes', room)).toMatchObject({ actions: [{ outcome: { state: 'done' } }] });
    const settled = (await bed.audit()).flatMap((record) =>
      record.kind === 'action.settled' && record.confirmation === confirmation ? [record.outcome] : [],
    );
    expect(settled).toEqual(['unknown', 'done']);
  });
});

it('what is settled after it had become unknown still knows the limits under which it was done', async () => {
  const room = newRoom();
  const scope = { paths: ['/Docs'] };
  const action = { ...deletion('/Docs/plan.md', room), scope };
  const plan = await bed.plan([{ action, effect: deletionEffect('/Docs/plan.md') }]);
  const { confirmation } = await bed.propose(await bed.attest(room), [{ plan }]);
  const reply = await bed.answer('yes', room);
  if (reply.verdict !== 'approved' || reply.actions[0]?.state !== 'approved') throw new Error(reply.verdict);
  const { claim } = await bed.claim(reply.actions[0].grant);
  await bed.owner.confirmationAction.updateMany({
    where: { confirmationId: confirmation },
    data: { claimDeadline: new Date(Date.now() - 1) },
  });
  const replica = await bed.startService();
  await eventually(async () => (await actionOf(confirmation)).state === 'unknown', { describe: 'the sweep' });
  await replica.close();
  await bed.settle(claim, { state: 'done', text: 'Deleted.' });
  expect(await bed.answer('yes', room)).toMatchObject({ actions: [{ outcome: { state: 'done' }, scope }] });
  expect((await actionOf(confirmation)).action).toBeNull();
});

describe('the sweep', () => {
  const age = (id: string, data: { createdAt?: Date; postedAt?: Date; answeredAt?: Date }) =>
    bed.owner.confirmation.update({ where: { id }, data });
  const ago = (ms: number) => new Date(Date.now() - ms);
  const stateOf = async (id: string) => (await bed.owner.confirmation.findUnique({ where: { id } }))?.state;

  const sweep = async (done: () => Promise<boolean>) => {
    const replica = await bed.startService();
    await eventually(done, { describe: 'the sweep' });
    await replica.close();
  };

  it('closes what nobody came back to, once no answer can be in time any more, and leaves it to be told', async () => {
    const [old, unasked, young, failed] = [newRoom(), newRoom(), newRoom(), newRoom()];
    const ids = [];
    for (const room of [old, unasked, young, failed]) ids.push((await bed.ask(room)).confirmation);
    const [oldId = '', unaskedId = '', youngId = '', failedId = ''] = ids;
    await age(oldId, { createdAt: ago(50 * MINUTE), postedAt: ago(41 * MINUTE) });
    await age(unaskedId, { createdAt: ago(50 * MINUTE) });
    bed.fates.set(unaskedId, { postedAt: Date.now() - 45 * MINUTE });
    await age(youngId, { createdAt: ago(50 * MINUTE), postedAt: ago(39 * MINUTE) });
    await age(failedId, { createdAt: ago(50 * MINUTE) });
    bed.fates.set(failedId, { postedAt: null, state: 'failed' });
    await sweep(
      async () => (await stateOf(failedId)) === 'expired' && (await stateOf(unaskedId)) === 'expired',
    );
    expect(await Promise.all(ids.map(stateOf))).toEqual(['expired', 'expired', 'asked', 'expired']);
    expect(await actionOf(oldId)).toMatchObject({ action: null });
    expect(await bed.answer('hello', old)).toEqual({ v: 1, verdict: 'ordinary', open: false });
    expect(bed.posts.at(-1)).toMatchObject({ confirmation: oldId, part: 'expired' });
  });

  it('empties an approved action that nobody took in time, which is then too late', async () => {
    const { confirmation, grant, room } = await approve();
    await age(confirmation, { answeredAt: ago(31 * MINUTE) });
    await sweep(async () => (await actionOf(confirmation)).action === null);
    await expect(bed.claim(grant)).rejects.toMatchObject(invalid);
    expect(await bed.answer('yes', room)).toMatchObject({ actions: [{ state: 'lapsed' }] });
  });

  it('empties an action of which nobody said how it went', async () => {
    const { confirmation, grant } = await approve();
    await bed.claim(grant);
    await bed.owner.confirmationAction.updateMany({
      where: { confirmationId: confirmation },
      data: { claimDeadline: ago(1) },
    });
    await age(confirmation, { answeredAt: ago(31 * MINUTE) });
    await sweep(async () => (await actionOf(confirmation)).action === null);
    expect((await actionOf(confirmation)).state).toBe('unknown');
  });

  it('forgets after thirty days', async () => {
    const [gone, kept] = [await bed.ask(newRoom()), await bed.ask(newRoom())];
    await age(gone.confirmation, { createdAt: ago(30 * DAY + MINUTE) });
    await age(kept.confirmation, { createdAt: ago(30 * DAY - MINUTE), postedAt: ago(MINUTE) });
    await sweep(async () => (await stateOf(gone.confirmation)) === undefined);
    expect(await stateOf(kept.confirmation)).toBe('asked');
    expect(await bed.owner.confirmationAction.count({ where: { confirmationId: gone.confirmation } })).toBe(
      0,
    );
  });
});
