import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ActOnApproval, ExecuteTool } from '@nuqloud/contracts';
import type {
  ActOnApprovalRequest,
  AttestationClaims,
  ExecuteToolReply,
  ExecuteToolRequest,
  PlanClaims,
  PlannedAction,
  ToolResult,
} from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { createLogger, TokenSigner } from '@nuqloud/platform';
import type { RunningService } from '@nuqloud/platform';
import { eventually, signAttestation, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { startToolFiles } from '@nuqloud/tool-files';
import { PlayedConfirmation } from './played-confirmation';

type Fixture = NonNullable<Parameters<typeof startEmulator>[0]>['fixture'];

const APP_SECRET = 'app-secret-of-the-test';

const PROVISION = (url: string): string => `
version: 1
instances:
  - { id: default, url: "${url}", appApi: { id: nuqloud_ai, secret: "\${APP_SECRET}", version: 0.1.0 } }
bots:
  - { slug: nuq, instance: default, name: NuQ, talkSecret: "\${NOBODY_HERE_HAS_THIS}", tools: ["files_*"] }
`;

export interface Asked {
  readonly uid?: string;
  /** What the person wrote, and what ingress attested of it. */
  readonly text?: string;
  readonly claims?: Partial<AttestationClaims>;
  readonly request?: Partial<ExecuteToolRequest>;
}

/** tool-files as it runs, with the real gateway and a stand-in for Nextcloud; the test plays the agent. */
export class FilesBed {
  readonly logs: string[] = [];
  private readonly services = new Set<RunningService>();

  private constructor(
    readonly stores: TestBed,
    readonly emulator: Emulator,
    readonly agent: Bus,
    readonly confirmation: PlayedConfirmation,
    private readonly ingress: TokenSigner,
    private readonly folder: string,
    private readonly clock: { aheadMs: number },
  ) {}

  static async start(fixture: Fixture, webRoot = ''): Promise<FilesBed> {
    const stores = await startTestBed();
    const clock = { aheadMs: 0 };
    const emulator = await startEmulator({
      now: () => Date.now() + clock.aheadMs,
      webRoot,
      fixture: { ...fixture, appApi: { id: 'nuqloud_ai', secret: APP_SECRET } },
    });
    return new FilesBed(
      stores,
      emulator,
      await stores.busOf('agent'),
      await PlayedConfirmation.start(stores),
      new TokenSigner('talk-ingress', (await stores.keysOf('talk-ingress')).signing),
      await mkdtemp(path.join(tmpdir(), 'nuqloud-tool-files-')),
      clock,
    );
  }

  async startGateway(): Promise<RunningGateway> {
    const provision = path.join(this.folder, 'provision.yaml');
    await writeFile(provision, PROVISION(this.emulator.url));
    const gateway = await startGateway({
      config: {
        DATABASE_URL: this.stores.databaseUrl,
        NATS_URL: this.stores.natsUrl,
        REDIS_URL: this.stores.redisUrl,
        KEYS_DIR: this.stores.keysDir,
        GATEWAY_HOST: '127.0.0.1',
        GATEWAY_PORT: 0,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        PROVISION_FILE: provision,
        LOG_LEVEL: 'trace',
      },
      env: { APP_SECRET },
      logger: this.loggerOf('nextcloud-gateway'),
    });
    this.services.add(gateway);
    return gateway;
  }

  async startToolFiles(gatewayUrl: string): Promise<RunningService> {
    const service = await startToolFiles({
      config: {
        NATS_URL: this.stores.natsUrl,
        KEYS_DIR: this.stores.keysDir,
        GATEWAY_URL: gatewayUrl,
        LOG_LEVEL: 'trace',
      },
      logger: this.loggerOf('tool-files'),
    });
    this.services.add(service);
    return service;
  }

  /** Before the bed's own end, which ends whatever still runs. */
  async stop(service: RunningService): Promise<void> {
    this.services.delete(service);
    await service.close();
  }

  /** Calls a tool as the agent would for a message of alice. @throws what the service refuses with */
  async call(tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<ExecuteToolReply> {
    const { request } = asked;
    const { context, attestation, text } = await this.attested(asked);
    const body: ExecuteToolRequest = {
      v: 1,
      callId: randomUUID(),
      tool,
      arguments: args,
      context,
      attestation,
      text,
      ...request,
    };
    return this.agent.request(ExecuteTool, { provider: 'files' }, body);
  }

  /** The result of a call that needs nobody's "yes". */
  async execute(tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<ToolResult> {
    const reply = await this.call(tool, args, asked);
    if (!('result' in reply)) throw new Error(`${tool} was planned, not run`);
    return reply.result;
  }

  /** The one action of a call that has to be asked for. */
  async plan(
    tool: string,
    args: Record<string, unknown>,
    asked: Asked = {},
  ): Promise<PlanClaims['actions'][number]> {
    const reply = await this.call(tool, args, asked);
    if (!('plan' in reply)) throw new Error(`${tool} was not planned: ${textOf(reply.result)}`);
    return this.confirmation.readPlan(reply.plan);
  }

  /** Sends an action as the agent does after the "yes" of the message 1600. @throws what the service refuses with */
  async act(
    action: PlannedAction,
    over: { request?: Partial<ActOnApprovalRequest>; answer?: Asked } = {},
  ): Promise<ToolResult> {
    const uid = action.sub.slice('users/'.length);
    const answer = { uid, text: 'yes', claims: { message: '1600' }, ...over.answer };
    const { context, attestation, text } = await this.attested(answer);
    const body: ActOnApprovalRequest = {
      v: 1,
      callId: randomUUID(),
      action,
      grant: over.request?.grant ?? (await this.confirmation.grant(action)),
      context,
      attestation,
      text,
      ...over.request,
    };
    const { result } = await this.agent.request(ActOnApproval, { provider: 'files' }, body);
    // It is sent before the answer, and may be read after it.
    const { claimed, settled } = this.confirmation;
    await eventually(() => settled.length === claimed.length, { describe: 'the settlement' });
    return result;
  }

  /** Plans, approves and does. */
  async confirmed(tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<ToolResult> {
    return this.act((await this.plan(tool, args, asked)).action);
  }

  /** The text of an answer that is no error. */
  async answer(tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<string> {
    const result = await this.execute(tool, args, asked);
    if (result.isError) throw new Error(`${tool} failed: ${textOf(result)}`);
    return textOf(result);
  }

  /** The text of an answer that is an error. */
  async failure(tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<string> {
    const result = await this.execute(tool, args, asked);
    if (!result.isError) throw new Error(`${tool} did not fail: ${textOf(result)}`);
    return textOf(result);
  }

  /** Two seconds pass in Nextcloud, where changes within one second look like one. */
  tick(): void {
    this.clock.aheadMs += 2_000;
  }

  /** The emulator's own control. */
  async control(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${new URL(this.emulator.url).origin}/_emulator/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the emulator refused ${path}: ${response.status}`);
    return response;
  }

  private async attested({ uid = 'alice', text = 'list my files', claims }: Asked) {
    const textHash = createHash('sha256').update(text).digest('hex');
    const attestation = await signAttestation(this.ingress, { sub: `users/${uid}`, textHash, ...claims });
    const context = {
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      messageId: claims?.message ?? '1567',
      attachments: [],
      language: 'en',
      zone: 'Europe/Berlin',
    };
    return { context, attestation, text };
  }

  async close(): Promise<void> {
    for (const service of [...this.services].reverse()) await service.close();
    await this.emulator.close();
    await this.stores.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private loggerOf(service: string) {
    return createLogger({ service, level: 'trace' }, { write: (line) => void this.logs.push(line) });
  }
}

export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('');
