import type { PlannedAction } from '@nuqloud/contracts';
import { TokenSigner } from '@nuqloud/platform';
import { FilesBed, textOf } from './files-bed';

jest.setTimeout(60_000);

const FIXTURE = {
  users: [
    { id: 'alice', displayName: 'Alice Adams' },
    { id: 'bob', displayName: 'Bob' },
  ],
  files: {
    alice: { '/Docs/plan.md': 'the plan', '/Docs/notes.txt': 'notes', '/other.md': 'other' },
    bob: { '/Docs/plan.md': 'of Bob' },
  },
};

let bed: FilesBed;
beforeAll(async () => {
  bed = await FilesBed.start(FIXTURE);
  const gateway = await bed.startGateway();
  // Two replicas: whatever one of them knows must not matter.
  await bed.startToolFiles(gateway.url);
  await bed.startToolFiles(gateway.url);
});
beforeEach(async () => {
  bed.emulator.reset();
  bed.tick();
  bed.confirmation.settled.splice(0);
  bed.confirmation.claimed.splice(0);
  await bed.control('DELETE', 'faults');
});
afterAll(() => bed.close());

const planned = async (path = '/Docs/plan.md'): Promise<PlannedAction> =>
  (await bed.plan('files_delete', { path })).action;

const codeFor = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: unknown }) => error.code,
  );

const isThere = async (path = '/Docs/plan.md', uid = 'alice'): Promise<boolean> =>
  !(await bed.execute('files_info', { path }, { uid })).isError;

const versions = async (): Promise<{ apps: string[] }> =>
  (await (await bed.control('PUT', 'version', {})).json()) as { apps: string[] };

/** Requests that would change something in Nextcloud. */
const writes = async (): Promise<number> => {
  const { requests } = (await (await bed.control('GET', 'requests?after=0')).json()) as {
    requests: { method: string }[];
  };
  return requests.filter(({ method }) => ['PUT', 'MKCOL', 'DELETE', 'MOVE'].includes(method)).length;
};

describe('a plan', () => {
  it('names who, where, what and which revision, as the gateway and ingress know it', async () => {
    const info = await bed.answer('files_info', { path: '/Docs/plan.md' });
    const fact = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(info)?.[1];
    expect(await planned('/Docs/plan.md')).toEqual({
      v: 1,
      provider: 'files',
      tool: 'files_delete',
      arguments: { path: '/Docs/plan.md' },
      targets: [{ id: fact('id'), name: '/Docs/plan.md', revision: fact('revision') }],
      sub: 'users/alice',
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      message: '1567',
      mode: 'user',
      profile: null,
      uid: 'alice',
      effectHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('changes nothing', async () => {
    const before = await writes();
    await planned();
    expect(await writes()).toBe(before);
  });
});

describe('an approved action', () => {
  it('is claimed, done and settled, in this order', async () => {
    const result = await bed.act(await planned());
    expect(result).toMatchObject({ isError: false, receipt: { action: 'files.delete' } });
    expect(await isThere()).toBe(false);
    expect(bed.confirmation.claimed).toHaveLength(1);
    expect(bed.confirmation.settled).toEqual([
      { state: 'done', text: textOf(result), receipt: result.receipt },
    ]);
  });

  it('is done once, however often and to whomever it is sent', async () => {
    const action = await planned();
    const grant = await bed.confirmation.grant(action);
    const before = await writes();
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => codeFor(bed.act(action, { request: { grant } }))),
    );
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['done', 'CONFIRM.ALREADY_CLAIMED']));
    expect((await writes()) - before).toBe(1);
    expect(bed.confirmation.settled).toHaveLength(1);
  });

  it('is not done when it has changed since, which is settled and said', async () => {
    const action = await planned();
    bed.tick();
    await bed.execute('files_append', { path: '/Docs/plan.md', content: 'more' });
    const result = await bed.act(action);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Nothing was done: "/Docs/plan.md" has changed since you were asked.');
    expect(await isThere()).toBe(true);
    expect(bed.confirmation.settled).toEqual([{ state: 'failed', text: textOf(result) }]);
  });

  it('of a folder is not done when anything in it has changed', async () => {
    const action = await planned('/Docs');
    bed.tick();
    await bed.execute('files_write', { path: '/Docs/new.txt', content: 'x' });
    expect(textOf(await bed.act(action))).toContain('has changed since you were asked');
    expect(await isThere('/Docs/new.txt')).toBe(true);
  });

  it('is not done to another file that took the name', async () => {
    const action = await planned();
    await bed.act(await planned());
    bed.tick();
    await bed.execute('files_write', { path: '/Docs/plan.md', content: 'the plan' });
    expect(textOf(await bed.act(action))).toContain('has changed since you were asked');
    expect(await isThere()).toBe(true);
  });

  it('is not done when what it is about is gone', async () => {
    const action = await planned();
    await bed.act(await planned());
    expect(textOf(await bed.act(action))).toBe(
      'Nothing was done: There is no file or folder "/Docs/plan.md". "/Docs" exists; files_list shows what is in it.',
    );
  });

  it('that would create a file does not replace one that came since', async () => {
    const asked = { request: { confirmAlways: true } };
    const { action } = await bed.plan('files_write', { path: '/Docs/new.md', content: 'x' }, asked);
    await bed.execute('files_write', { path: '/Docs/new.md', content: 'first' });
    expect(textOf(await bed.act(action))).toContain('exists already');
    expect(await bed.answer('files_read', { path: '/Docs/new.md' })).toContain('first');
  });

  it('is not done when it would be final by now', async () => {
    const action = await planned();
    const { apps } = await versions();
    await bed.control('PUT', 'version', { apps: apps.filter((app) => app !== 'files_trashbin') });
    const changed = 'Nothing was done: What would happen is no longer what you were shown; ask for it again.';
    expect(textOf(await bed.act(action))).toBe(changed);
    await bed.control('PUT', 'version', { apps });
    expect(await isThere()).toBe(true);
    expect(bed.confirmation.settled).toEqual([{ state: 'failed', text: changed }]);
    expect((await bed.act(action)).isError).toBe(false);
  });

  it('is not done as somebody else than when it was planned', async () => {
    const action: PlannedAction = { ...(await planned()), uid: 'bob' };
    const result = await bed.act(action);
    expect(textOf(result)).toBe(
      'Nothing was done: It would be done as somebody else than when you were asked; ask for it again.',
    );
    expect(await isThere('/Docs/plan.md', 'bob')).toBe(true);
    expect(await isThere()).toBe(true);
    const asAgent: PlannedAction = { ...(await planned()), mode: 'agent', profile: 'workspace' };
    expect(textOf(await bed.act(asAgent))).toContain('as somebody else');
  });

  it('says in words what Nextcloud refused', async () => {
    const action = await planned();
    await bed.control('POST', 'faults', {
      match: { method: 'DELETE' },
      status: 423,
      times: 10,
    });
    const result = await bed.act(action);
    expect(textOf(result)).toContain('is locked');
    expect(bed.confirmation.settled).toMatchObject([{ state: 'failed' }]);
  });
});

describe('an approval is refused, and nothing claimed or done,', () => {
  afterEach(async () => {
    expect(bed.confirmation.claimed).toEqual([]);
    expect(bed.confirmation.settled).toEqual([]);
    expect(await isThere()).toBe(true);
  });

  it.each<[string, Parameters<FilesBed['confirmation']['grant']>[1]]>([
    ['after its time', { iat: 1_000, exp: 1_060 }],
    ['for another provider', { aud: 'calendar' }],
    ['for the agent', { aud: 'agent' }],
  ])('with a grant %s', async (_what, over) => {
    const action = await planned();
    const grant = await bed.confirmation.grant(action, over);
    expect(await codeFor(bed.act(action, { request: { grant } }))).toBe('TOOL.GRANT_INVALID');
  });

  it.each(['agent', 'tool-files', 'nextcloud-gateway'])('with a grant that %s signed', async (service) => {
    const action = await planned();
    const { signing } = await bed.stores.keysOf(service);
    for (const issuer of ['confirmation', service]) {
      const grant = await bed.confirmation.grant(action, {}, new TokenSigner(issuer, signing));
      expect(await codeFor(bed.act(action, { request: { grant } }))).toBe('TOOL.GRANT_INVALID');
    }
  });

  it('with a grant that was changed or is none', async () => {
    const action = await planned();
    const grant = await bed.confirmation.grant(action);
    for (const forged of ['', 'x', `${grant}x`, grant.replace(/\.[^.]+\./, '.e30.')]) {
      expect(await codeFor(bed.act(action, { request: { grant: forged } }))).toBe('TOOL.GRANT_INVALID');
    }
  });

  it('for any other action than the one that was granted', async () => {
    const action = await planned();
    const grant = await bed.confirmation.grant(action);
    const others: Partial<PlannedAction>[] = [
      { arguments: { path: '/other.md' } },
      { tool: 'files_write' },
      { targets: [] },
      { uid: 'bob' },
      { mode: 'agent' },
      { message: '1' },
      { scope: { paths: ['/'] } },
    ];
    for (const over of others) {
      const work = bed.act({ ...action, ...over }, { request: { grant } });
      expect([over, await codeFor(work)]).toEqual([over, 'TOOL.GRANT_OTHER_ACTION']);
    }
  });

  it('for another provider', async () => {
    const action = { ...(await planned()), provider: 'calendar' };
    expect(await codeFor(bed.act(action))).toBe('TOOL.ACTION_OTHER_PROVIDER');
  });

  it('under the "yes" of somebody else, or another message', async () => {
    const action = await planned();
    const ofBob = { answer: { uid: 'bob' } };
    expect(await codeFor(bed.act(action, ofBob))).toBe('TOOL.GRANT_OTHER_ANSWER');
    const grant = await bed.confirmation.grant(action, { sub: 'users/bob' });
    expect(await codeFor(bed.act(action, { ...ofBob, request: { grant } }))).toBe('TOOL.ACTION_OTHER_PLACE');
    const later = { answer: { claims: { message: '1700' } } };
    expect(await codeFor(bed.act(action, later))).toBe('TOOL.GRANT_OTHER_ANSWER');
  });

  it.each([['instance', 'other'] as const, ['bot', 'other'] as const, ['room', 'another1'] as const])(
    'in another %s than it was asked in',
    async (part, value) => {
      const action = { ...(await planned()), [part]: value };
      expect(await codeFor(bed.act(action))).toBe('TOOL.ACTION_OTHER_PLACE');
    },
  );

  it('without a "yes" that ingress attested', async () => {
    const action = await planned();
    const code = (over: Parameters<FilesBed['act']>[1]) => codeFor(bed.act(action, over));
    expect(await code({ request: { attestation: 'x' } })).toBe('TOOL.ATTESTATION_INVALID');
    expect(await code({ request: { text: 'ja' } })).toBe('TOOL.ATTESTATION_OTHER_TEXT');
    expect(await code({ answer: { claims: { message: '1600', kind: 'attachment' } } })).toBe(
      'TOOL.APPROVAL_NO_MESSAGE',
    );
    expect(await code({ answer: { claims: { message: '1600', kind: 'reaction_added' } } })).toBe(
      'TOOL.ATTESTATION_NOT_WRITTEN',
    );
    expect(await code({ answer: { claims: { message: '1600', iat: 1, exp: 2 } } })).toBe(
      'TOOL.ATTESTATION_INVALID',
    );
  });
});

describe('when no answer comes from Nextcloud', () => {
  const dropAnswer = (method: string, drop: true | 'answer' = true) =>
    bed.control('POST', 'faults', { match: { method }, drop, times: 1 });

  it('an approved deletion that did not happen stays unknown, and is not tried again', async () => {
    const action = await planned();
    const before = await writes();
    await dropAnswer('DELETE');
    const result = await bed.act(action);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Nextcloud gave no answer that tells whether "/Docs/plan.md" was changed; look before you try again.',
    );
    expect(bed.confirmation.settled).toMatchObject([{ state: 'unknown' }]);
    expect((await writes()) - before).toBe(1);
  });

  it('an unasked write is reported as not known', async () => {
    await dropAnswer('PUT');
    expect(await bed.failure('files_write', { path: '/Docs/new.md', content: 'x' })).toContain(
      'no answer that tells',
    );
  });

  it('an approved deletion that a look shows to be done is done, with its receipt', async () => {
    const action = await planned();
    await dropAnswer('DELETE', 'answer');
    const result = await bed.act(action);
    expect(result).toMatchObject({ isError: false, receipt: { undo: { tool: 'files_restore' } } });
    expect(bed.confirmation.settled).toMatchObject([{ state: 'done' }]);
  });

  it('an approved overwriting and rolling back are found done', async () => {
    const args = { path: '/Docs/plan.md', content: 'new', overwrite: true };
    const { action } = await bed.plan('files_write', args);
    await dropAnswer('PUT', 'answer');
    const result = await bed.act(action);
    expect(result).toMatchObject({ isError: false, receipt: { action: 'files.overwrite' } });
    bed.tick();
    const back = await bed.plan('files_restore_version', result.receipt?.undo?.arguments ?? {});
    await dropAnswer('MOVE', 'answer');
    expect(await bed.act(back.action)).toMatchObject({
      isError: false,
      receipt: { undo: { tool: 'files_restore_version' } },
    });
    expect(bed.confirmation.settled.map(({ state }) => state)).toEqual(['done', 'done']);
  });

  it('what nobody had to be asked about is found done as well', async () => {
    await dropAnswer('PUT', 'answer');
    const created = await bed.execute('files_write', { path: '/Docs/new.md', content: 'x' });
    expect(created).toMatchObject({ isError: false, receipt: { action: 'files.create' } });
    bed.tick();
    await dropAnswer('PUT', 'answer');
    const added = await bed.execute('files_append', { path: '/Docs/new.md', content: 'y' });
    expect(added).toMatchObject({ isError: false, receipt: { action: 'files.append' } });
    await dropAnswer('MKCOL', 'answer');
    const made = await bed.execute('files_mkdir', { path: '/Docs/sub' });
    expect(made).toMatchObject({ isError: false, receipt: { action: 'files.mkdir' } });
    const deleted = await bed.act(await planned());
    await dropAnswer('MOVE', 'answer');
    const restored = await bed.execute('files_restore', deleted.receipt?.undo?.arguments ?? {});
    expect(restored).toMatchObject({ isError: false, receipt: { action: 'files.restore' } });
  });

  it('a server error leaves the outcome open too', async () => {
    const action = await planned();
    await bed.control('POST', 'faults', { match: { method: 'DELETE' }, status: 502, times: 1 });
    await bed.act(action);
    expect(bed.confirmation.settled).toMatchObject([{ state: 'unknown' }]);
  });
});

it('logs ids and outcomes, but no name, path or content', async () => {
  await bed.act(await planned());
  const ours = bed.logs.filter((line) => line.includes('"service":"tool-files"'));
  expect(ours.some((line) => line.includes('tool.planned'))).toBe(true);
  expect(ours.some((line) => line.includes('"outcome":"done"'))).toBe(true);
  expect(ours.join('')).not.toMatch(/plan\.md|Docs|Alice/);
});
