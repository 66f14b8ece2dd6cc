import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ChatEvent,
  CollectToolProviders,
  DescribeInstance,
  DescribePerson,
  ExecuteTool,
  PostToRoom,
  readToolPolicy,
  ToolsChanged,
} from '@nuqloud/contracts';
import type {
  ChatMessage,
  ExecuteToolRequest,
  PersonDescription,
  PostToRoomRequest,
  ToolPolicy,
  ToolResult,
} from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { createLogger } from '@nuqloud/platform';
import type { RunningService } from '@nuqloud/platform';
import { eventually, startScriptedModel, startTestBed } from '@nuqloud/testing';
import type { ScriptedModel, TestBed } from '@nuqloud/testing';
import { stringify } from 'yaml';
import { startAgent } from '../src/start';

export interface FakeTool {
  readonly name: string;
  readonly policy?: ToolPolicy;
  readonly run?: (request: ExecuteToolRequest) => ToolResult | Promise<ToolResult>;
}

interface AgentMore {
  readonly progressAfterMs?: number;
  readonly modelTimeoutMs?: number;
  /** The second endpoint. */
  readonly fallback?: ScriptedModel;
}

/** The agent among neighbours that the test plays with their own credentials. */
export class Stage {
  readonly posts: PostToRoomRequest[] = [];
  readonly calls: ExecuteToolRequest[] = [];
  readonly people = new Map<string, Partial<PersonDescription>>();
  /** While false nobody takes posts: talk-ingress is down. */
  ingressUp = true;
  readonly log: string[] = [];
  private readonly agents = new Set<RunningService>();
  private nextMessage = 1;

  private constructor(
    readonly bed: TestBed,
    readonly model: ScriptedModel,
    private readonly ingress: Bus,
    private readonly folder: string,
  ) {}

  static async open(bot: object = {}): Promise<Stage> {
    const [bed, model] = await Promise.all([startTestBed(['acme']), startScriptedModel()]);
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-test-'));
    const stage = new Stage(bed, model, await bed.busOf('talk-ingress'), folder);
    await writeFile(path.join(folder, 'provision.yaml'), stringify(provision(bot)));
    await stage.playIngress();
    await stage.playGateway();
    return stage;
  }

  async startAgent({ fallback, ...more }: AgentMore = {}): Promise<RunningService> {
    const logger = createLogger(
      { service: 'agent', level: 'trace' },
      { write: (line) => void this.log.push(line) },
    );
    const agent = await startAgent({
      config: {
        DATABASE_URL: this.bed.databaseUrl,
        NATS_URL: this.bed.natsUrl,
        REDIS_URL: this.bed.redisUrl,
        KEYS_DIR: this.bed.keysDir,
        OPENAI_BASE_URL: this.model.baseUrl,
        OPENAI_API_KEY: 'key-that-never-shows',
        OPENAI_MODEL: 'scripted-test',
        ...(fallback && {
          OPENAI_FALLBACK_BASE_URL: fallback.baseUrl,
          OPENAI_FALLBACK_API_KEY: 'key-of-the-fallback',
          OPENAI_FALLBACK_MODEL: 'second-model',
        }),
        PROVISION_FILE: path.join(this.folder, 'provision.yaml'),
        LOG_LEVEL: 'trace',
      },
      env: {},
      logger,
      ...more,
    });
    this.agents.add(agent);
    return { name: agent.name, close: () => this.stopAgent(agent) };
  }

  /** A provider of tools; by default the core one, which tells that it has started. */
  async startTools(tools: readonly (FakeTool | object)[], provider = 'files'): Promise<() => Promise<void>> {
    const bus = await this.bed.busOf(`tool-${provider}`);
    const offered = tools.map((tool) =>
      'name' in tool && !('description' in tool) ? definition(tool) : tool,
    );
    bus.connection.subscribe(CollectToolProviders.subject, {
      queue: provider,
      callback: (_failure, message) => message.respond(JSON.stringify({ v: 1, provider, tools: offered })),
    });
    bus.connection.subscribe(`tools.exec.${provider}`, {
      callback: (_failure, message) => {
        const request = ExecuteTool.request.parse(message.json());
        this.calls.push(request);
        const tool = tools.find((candidate) => 'name' in candidate && candidate.name === request.tool) as
          FakeTool | undefined;
        void Promise.resolve(tool?.run?.(request) ?? told('ok')).then((result) =>
          message.respond(JSON.stringify({ v: 1, result })),
        );
      },
    });
    await bus.connection.flush();
    bus.publish(ToolsChanged, { provider }, { v: 1, provider });
    await bus.connection.flush();
    return () => bus.close();
  }

  /** Somebody writes; returns Talk's message id. */
  async write(text: string, more: Partial<ChatMessage> & { user?: string } = {}): Promise<string> {
    const { user = 'alice', ...over } = more;
    const messageId = over.messageId ?? String(this.nextMessage++);
    await this.append(
      { ...message(user, text, messageId), ...over },
      `message:${messageId}:${Math.random()}`,
    );
    return messageId;
  }

  async append(body: Parameters<typeof ChatEvent.body.parse>[0], messageId: string): Promise<void> {
    const event = ChatEvent.body.parse(body);
    await this.ingress.append(ChatEvent, { instance: event.instance, room: event.room }, event, {
      messageId,
      timeoutMs: 2_000,
    });
  }

  /** Texts posted in answer to a message. */
  answersTo(messageId: string): string[] {
    return this.posts.flatMap(({ post }) =>
      post.type === 'message' && post.replyTo === messageId ? [post.text] : [],
    );
  }

  async answerTo(messageId: string, deadlineMs = 10_000): Promise<string> {
    const answers = await eventually(
      () => (this.answersTo(messageId).length > 0 ? this.answersTo(messageId) : false),
      {
        describe: `an answer to message ${messageId}`,
        deadlineMs,
      },
    );
    return answers[0] ?? '';
  }

  async ask(text: string, more: Partial<ChatMessage> & { user?: string } = {}): Promise<string> {
    return this.answerTo(await this.write(text, more));
  }

  /** Waits until the registry knows exactly these tools of the bot (it asks in the background). */
  async offers(...names: string[]): Promise<void> {
    const wanted = [...names].sort().join();
    await eventually(
      async () => {
        const help = await this.ask('nuq help');
        const listed = [...help.matchAll(/^- \*\*(.+?)\*\*(.*)$/gm)].flatMap(([, name, rest]) =>
          rest?.includes('not available') ? [] : [name ?? ''],
        );
        return listed.sort().join() === wanted;
      },
      { describe: `the tools ${wanted}`, deadlineMs: 15_000 },
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.agents].map((agent) => this.stopAgent(agent)));
    await this.model.stop();
    await this.bed.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async stopAgent(agent: RunningService): Promise<void> {
    if (this.agents.delete(agent)) await agent.close();
  }

  private async playIngress(): Promise<void> {
    const known = new Set<string>();
    this.ingress.connection.subscribe(PostToRoom.subject, {
      callback: (_failure, received) => {
        if (!this.ingressUp) return;
        const request = PostToRoom.request.parse(received.json());
        const duplicate = known.has(request.key);
        known.add(request.key);
        if (!duplicate) this.posts.push(request);
        received.respond(JSON.stringify({ v: 1, duplicate, parts: 1 }));
      },
    });
    await this.ingress.connection.flush();
  }

  private async playGateway(): Promise<void> {
    const gateway = await this.bed.busOf('nextcloud-gateway');
    gateway.connection.subscribe(DescribeInstance.subject, {
      callback: (_failure, received) =>
        received.respond(
          JSON.stringify({
            v: 1,
            instance: 'default',
            nextcloud: { major: 32, version: '32.0.1' },
            apps: ['spreed'],
          }),
        ),
    });
    gateway.connection.subscribe(DescribePerson.subject, {
      callback: (_failure, received) => {
        const { attestation } = DescribePerson.request.parse(received.json());
        const uid = attestation.replace('attestation of ', '');
        const known = {
          displayName: uid,
          language: 'en',
          zone: 'Europe/Berlin',
          groups: ['team'],
          ...this.people.get(uid),
        };
        received.respond(JSON.stringify({ v: 1, uid, ...known }));
      },
    });
    await gateway.connection.flush();
  }
}

export const told = (text: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

const definition = ({ name, policy = readToolPolicy() }: FakeTool) => ({
  name,
  description: `The tool ${name}`,
  schema: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
  policy,
});

const message = (user: string, text: string, messageId: string): ChatMessage => {
  const [type, id] = user.includes('/')
    ? [user.slice(0, user.indexOf('/')), user.slice(user.indexOf('/') + 1)]
    : ['users', user];
  return {
    v: 1,
    kind: 'message',
    instance: 'default',
    bot: 'nuq',
    room: 'x7k2m9pq',
    roomName: 'Team',
    receivedAt: new Date().toISOString(),
    actor: { type, id, name: id, moderator: false },
    messageId,
    text,
    mentions: [],
    attestation: `attestation of ${id}`,
  };
};

const provision = (bot: object) => ({
  version: 1,
  instances: [{ id: 'default', url: 'http://127.0.0.1:1' }],
  bots: [
    {
      slug: 'nuq',
      instance: 'default',
      name: 'NuQ',
      talkSecret: 'never resolved by the agent',
      triggers: ['nuq'],
      tools: ['files_list', 'files_read'],
      ...bot,
    },
  ],
});
