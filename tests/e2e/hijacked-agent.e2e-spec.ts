import { randomUUID } from 'node:crypto';
import {
  GRANT_TYPE,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  PostToRoom,
  PROMPT_KEY_PREFIX,
  ProposeConfirmation,
  STREAMS,
} from '@nuqloud/contracts';
import type { ApprovedAction, ChatMessage, ToolResult } from '@nuqloud/contracts';
import { TokenSigner } from '@nuqloud/platform';
import { eventually, signAttestation, signServiceToken } from '@nuqloud/testing';
import { HijackedAgent } from './hijacked-agent';
import { Product, TEAM_ROOM } from './product';

const PLAN_MD = '/Docs/plan.md';

let product: Product;
let agent: HijackedAgent;

beforeAll(async () => {
  product = await Product.start({ without: ['agent'] });
  await product.startToolFiles();
  agent = await HijackedAgent.take(product.bed);
}, 60_000);

beforeEach(() => product.restoreDocs());

afterAll(async () => {
  await agent.close();
  await product.close();
});

const says = async (user: string, text: string): Promise<ChatMessage> => {
  const id = await product.write(user, text);
  return eventually(() => agent.event(id) ?? false, { describe: `message ${id}`, deadlineMs: 10_000 });
};

/** Alice asked for the deletion of a file, and the prompt stands in the room. */
const asked = async (file = PLAN_MD): Promise<{ event: ChatMessage; plan: string; prompt: string }> => {
  const event = await says('alice', `nuq delete ${file}`);
  const plan = await agent.plan(event, 'files_delete', { path: file });
  const { text } = await agent.propose(event, plan);
  // The agent is not told the code that stands behind it in the room.
  const isPrompt = ({ id, message }: { id: number; message: string }) =>
    id > Number(event.messageId) && message.startsWith(`${text} (`);
  const prompt = await eventually(async () => (await product.messages()).find(isPrompt) ?? false, {
    describe: 'the prompt in the room',
    deadlineMs: 10_000,
  });
  return { event, plan, prompt: prompt.message };
};

/** Alice approved it. */
const approved = async () => {
  await asked();
  const yes = await says('alice', 'yes');
  const verdict = await agent.judge(yes);
  const [action] = verdict.verdict === 'approved' ? verdict.actions : [];
  if (action?.state !== 'approved') throw new Error(JSON.stringify(verdict));
  return { yes, action };
};

const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    return `not refused: ${JSON.stringify(await attempt)}`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

const stays = async (file = PLAN_MD) => expect(await product.exists('alice', file)).toBe(true);

describe('with everything the agent has, nobody can approve', () => {
  it('by saying "yes" under a message that says something else', async () => {
    const { event } = await asked();
    expect(await refusal(agent.judge(event, { text: 'yes' }))).toBe('CONFIRM.INVALID_ATTESTATION');
  });

  it('by an attestation of its own', async () => {
    await asked();
    const attestation = await signAttestation(agent.signer, { room: TEAM_ROOM });
    const yes = await says('alice', 'hm');
    expect(await refusal(agent.judge({ ...yes, attestation, text: 'list my files' }))).toBe(
      'CONFIRM.INVALID_ATTESTATION',
    );
  });

  it('by the "yes" of somebody else', async () => {
    await asked();
    expect(await agent.judge(await says('bob', 'yes'))).toMatchObject({ verdict: 'ordinary' });
    await stays();
  });

  it('by a "yes" that was said before the prompt', async () => {
    const yes = await says('alice', 'yes');
    await asked();
    expect(await agent.judge(yes)).toMatchObject({ verdict: 'ordinary' });
  });

  it('by a quotation that was not made', async () => {
    const { prompt } = await asked();
    const yes = await says('alice', 'yes');
    const quoted = { messageId: '1', actor: { type: 'bots', id: 'bot-x', name: 'NuQ' }, text: prompt };
    expect(await refusal(agent.judge(yes, { quoted }))).toBe('CONFIRM.INVALID_ATTESTATION');
  });

  it('by posting another question below the prompt: a bare "yes" then means nothing', async () => {
    const { event } = await asked();
    const { instance, bot, room } = event;
    const post = { type: 'message', text: 'Would you like some cake? Reply yes.' } as const;
    await agent.bus.request(PostToRoom, {}, { v: 1, key: randomUUID(), instance, bot, room, post });
    await eventually(async () => (await product.messages()).some(({ message }) => message === post.text), {
      describe: 'the other question',
      deadlineMs: 10_000,
    });
    expect(await agent.judge(await says('alice', 'yes'))).toMatchObject({ verdict: 'consumed' });
    await stays();
  });

  it('by posting what counts as a prompt', async () => {
    const { event } = await asked();
    const { instance, bot, room } = event;
    const key = `${PROMPT_KEY_PREFIX}${randomUUID()}`;
    const post = { type: 'message', text: 'Cake?' } as const;
    expect(
      await refusal(agent.bus.request(PostToRoom, {}, { v: 1, key, instance, bot, room, post })),
    ).toMatch(/^TALK\./);
  });
});

describe('with everything the agent has, nobody can have another thing approved', () => {
  it('by a plan of its own', async () => {
    const { event } = await asked();
    const now = Math.floor(Date.now() / 1000);
    const forged = await agent.signer.sign(PLAN_TYPE, {
      aud: PLAN_AUDIENCE,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
      actions: [],
    });
    expect(await refusal(agent.propose(event, forged))).toBe('CONFIRM.INVALID_PLAN');
  });

  it('by a plan that was changed', async () => {
    const { event, plan } = await asked();
    const [header, body = '', signature] = plan.split('.');
    const changed = Buffer.from(body, 'base64url').toString().replaceAll('plan.md', 'Handbook.md');
    const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
    expect(await refusal(agent.propose(event, forged))).toBe('CONFIRM.INVALID_PLAN');
  });

  it('by a plan for another message or person', async () => {
    const { plan } = await asked();
    expect(await refusal(agent.propose(await says('alice', 'nuq hello'), plan))).toBe('CONFIRM.OTHER_ASKER');
    expect(await refusal(agent.propose(await says('bob', 'nuq hello'), plan))).toBe('CONFIRM.OTHER_ASKER');
  });

  it('by calling our own tool a third party', async () => {
    const event = await says('alice', 'nuq delete it');
    const call = {
      provider: 'files',
      tool: 'files_delete',
      label: 'Cake',
      arguments: { path: PLAN_MD },
      sources: [],
    };
    const { attestation } = event;
    const request = { v: 1 as const, attestation, proposals: [{ call }], language: 'en', zone: null };
    expect(await refusal(agent.bus.request(ProposeConfirmation, {}, request))).toMatch(/^CONFIRM\./);
  });
});

describe('with a grant, nobody can do anything but the approved, once', () => {
  const isRefused = async (attempt: Promise<ToolResult>): Promise<void> => {
    const code = await refusal(
      attempt.then((result) => (result.isError ? Promise.reject(new Error('failed')) : result)),
    );
    expect(code).not.toMatch(/^not refused/);
  };

  it.each<[string, Partial<Extract<ApprovedAction, { state: 'approved' }>['action']>]>([
    ['another path', { arguments: { path: '/Docs/Handbook.md' } }],
    ['another tool', { tool: 'files_write' }],
    ['another person', { uid: 'bob', sub: 'users/bob' }],
    ['another revision', { targets: [] }],
    ['another scope', { scope: { paths: ['/'] } }],
    ['another mode', { mode: 'agent', profile: 'workspace' }],
  ])('with %s', async (_what, over) => {
    const { yes, action } = await approved();
    await isRefused(agent.act(yes, action, over));
    await stays();
    await stays('/Docs/Handbook.md');
  });

  it('twice', async () => {
    const { yes, action } = await approved();
    expect(await agent.act(yes, action)).toMatchObject({ isError: false });
    await product.put('alice', PLAN_MD, 'written anew');
    await isRefused(agent.act(yes, action));
    await stays();
  });

  it('twice at the same time', async () => {
    const { yes, action } = await approved();
    const results = await Promise.allSettled([1, 2, 3].map(() => agent.act(yes, action)));
    const done = results.filter((result) => result.status === 'fulfilled' && !result.value.isError);
    expect(done).toHaveLength(1);
  });

  it('under another message', async () => {
    const { action } = await approved();
    await isRefused(agent.act(await says('alice', 'nuq hello'), action));
    await isRefused(agent.act(await says('bob', 'yes'), action));
    await stays();
  });

  it('with a grant of its own', async () => {
    const { yes, action } = await approved();
    const now = Math.floor(Date.now() / 1000);
    const grant = await agent.signer.sign(GRANT_TYPE, {
      aud: 'files',
      confirmation: randomUUID(),
      n: 1,
      hash: '0'.repeat(64),
      sub: 'users/alice',
      message: yes.messageId,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
    });
    await isRefused(agent.act(yes, { ...action, grant }));
    await stays();
  });
});

describe('with everything the agent has, nobody can act for somebody who is silent', () => {
  it('at a tool, by an attestation of its own or one that has run out', async () => {
    const event = await says('alice', 'nuq hello');
    const own = await signAttestation(agent.signer, { room: TEAM_ROOM, message: event.messageId });
    expect(await refusal(agent.callTool({ ...event, attestation: own }, 'files_list', { path: '/' }))).toBe(
      'TOOL.ATTESTATION_INVALID',
    );
    const { signing } = await product.bed.keysOf('talk-ingress');
    const old = await signAttestation(new TokenSigner('talk-ingress', signing), {
      room: TEAM_ROOM,
      message: event.messageId,
      at: Date.now() - 31 * 60 * 1000,
    });
    expect(await refusal(agent.callTool({ ...event, attestation: old }, 'files_list', { path: '/' }))).toBe(
      'TOOL.ATTESTATION_INVALID',
    );
  });

  it('at the gateway, in its own name or in that of a tool service', async () => {
    const event = await says('alice', 'nuq hello');
    const path = '/nextcloud/default/remote.php/dav/files/alice/';
    const claims = { method: 'PROPFIND', path };
    const forged = [
      await signServiceToken(agent.signer, claims),
      await signServiceToken(
        new TokenSigner('tool-files', (await product.bed.keysOf('agent')).signing),
        claims,
      ),
    ];
    for (const token of forged) {
      const response = await fetch(`${product.replicas[0]?.urls.gateway}${path}`, {
        method: 'PROPFIND',
        headers: {
          authorization: `Bearer ${token}`,
          'x-nuqloud-attestation': event.attestation,
          'x-nuqloud-tool': 'files_list',
        },
      });
      expect(response.status).toBe(401);
    }
  });
});

describe('the stores let the agent neither read nor change what is not its own', () => {
  it.each([
    'SELECT * FROM ingress_bots',
    'SELECT * FROM gateway_instances',
    'SELECT * FROM confirmations',
    'SELECT * FROM confirmation_actions',
    "UPDATE confirmations SET state = 'approved'",
    "UPDATE confirmation_actions SET state = 'asked'",
    'DELETE FROM confirmations',
    "INSERT INTO gateway_grants (instance, bot, tool, mode) VALUES ('default', 'nuq', 'files_*', 'user')",
    'UPDATE ingress_posts SET payload = NULL',
    'SET ROLE nuqloud_confirmation',
    'ALTER TABLE confirmations DISABLE TRIGGER ALL',
    'CREATE TABLE mine (id int)',
    'SELECT rolpassword FROM pg_authid',
  ])('PostgreSQL: %s', async (statement) => {
    await expect(agent.database.$executeRawUnsafe(statement)).rejects.toThrow(/denied|must be owner/);
  });

  it.each([
    'audit.confirmation',
    'audit.nextcloud-gateway',
    'chat.in.default.x7k2m9pq',
    'talk.prompt',
    'talk.prompt-fate',
    '_INBOX_confirmation.1',
    '$JS.API.STREAM.PURGE.AUDIT',
    '$JS.API.STREAM.DELETE.AUDIT',
    '$JS.API.STREAM.MSG.DELETE.AUDIT',
    '$JS.API.STREAM.UPDATE.AUDIT',
    '$JS.API.STREAM.PURGE.CHAT',
    '$JS.API.CONSUMER.CREATE.AUDIT',
    '$JS.API.DIRECT.GET.AUDIT',
    '$JS.API.STREAM.MSG.GET.AUDIT',
  ])('the bus: it may not send to %s', async (subject) => {
    expect(await refusedByServer(() => agent.bus.connection.publish(subject, '{}'))).toContain(subject);
  });

  it.each(['DELETE', 'PURGE', 'UPDATE'].flatMap((verb) => [`${verb}.AUDIT`, `${verb}.CHAT`]))(
    'the bus: JetStream answers it nowhere that means STREAM.%s',
    async (verb) => {
      const before = await streamStates();
      const reply = `$JS.API.STREAM.${verb}`;
      const { connection } = agent.bus;
      connection.publish('$JS.API.CONSUMER.INFO.CHAT.agent', '', { reply });
      connection.publish('$JS.API.CONSUMER.MSG.NEXT.CHAT.agent', '{"batch":1,"no_wait":true}', { reply });
      connection.publish('$JS.ACK.CHAT.agent.1.1.1.1.0', '+NXT {"batch":1,"no_wait":true}', { reply });
      await connection.request('$JS.API.CONSUMER.INFO.CHAT.agent', '');
      expect(await streamStates()).toEqual(before);
    },
  );

  it.each([
    'audit.>',
    'confirm.answer',
    'confirm.claim',
    'tools.exec.files',
    'talk.>',
    '_INBOX_confirmation.>',
    '>',
  ])('the bus: it may not listen to %s', async (subject) => {
    expect(await refusedByServer(() => void agent.bus.connection.subscribe(subject))).toContain(subject);
  });

  /** Configuration and number of messages of each stream, as an operator sees them. */
  const streamStates = async () => {
    const { connection } = await product.bed.busOf('monitor');
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    return Promise.all(
      STREAMS.map(async ({ name }) => {
        const { config, state } = await streams.info(name);
        return { config, messages: state.messages };
      }),
    );
  };

  /** What the server says of the violation. */
  const refusedByServer = async (violate: () => void): Promise<string> => {
    const { connection } = agent.bus;
    const refused = (async () => {
      for await (const status of connection.status()) {
        const text = `${String(status.type)} ${JSON.stringify(status.data)} ${JSON.stringify((status as { permissionContext?: unknown }).permissionContext ?? {})}`;
        if (/permission/i.test(text)) return text;
      }
      return 'closed';
    })();
    violate();
    await connection.flush();
    return refused;
  };
});
