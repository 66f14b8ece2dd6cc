import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { GatewayError, nextcloudPath, RESOLVE_PATH } from '@nuqloud/contracts';
import type { AttestationClaims } from '@nuqloud/contracts';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import type { GatewayOptions, RunningGateway } from '@nuqloud/nextcloud-gateway';
import { createLogger, TokenSigner } from '@nuqloud/platform';
import { signAttestation, signServiceToken, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';

/** Whatever shows this anywhere but on the way to Nextcloud has given a secret away. */
export const APP_SECRET = 'canary-app-secret-0123456789';

export interface Asked {
  readonly method?: string;
  /** Below Nextcloud's base URL, sent exactly as it is. */
  readonly path: string;
  readonly instance?: string;
  readonly tool?: string;
  readonly uid?: string;
  readonly attested?: Partial<AttestationClaims>;
  /** Added last: they replace what the tool service would send; undefined leaves one out. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Readable;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The refusal's code where the gateway itself answered. */
  readonly code: string | undefined;
}

/** A running gateway on real stores, and a tool service that asks it. */
export class GatewayBed {
  readonly logs: string[] = [];
  private readonly gateways: RunningGateway[] = [];

  private constructor(
    readonly stores: TestBed,
    private readonly folder: string,
    private readonly ingress: TokenSigner,
    /** Signs as the tool service. */
    readonly toolFiles: TokenSigner,
  ) {}

  static async start(): Promise<GatewayBed> {
    const stores = await startTestBed();
    const signerOf = async (service: string) =>
      new TokenSigner(service, (await stores.keysOf(service)).signing);
    const folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-gateway-'));
    return new GatewayBed(stores, folder, await signerOf('talk-ingress'), await signerOf('tool-files'));
  }

  /** A replica that serves the Nextclouds of these URLs; alice and the others write to the bot nuq. */
  async startGateway(
    nextclouds: Readonly<Record<string, string>>,
    more: Partial<Pick<GatewayOptions, 'timeouts'>> & { redisUrl?: string } = {},
  ): Promise<RunningGateway> {
    const provision = path.join(this.folder, 'provision.yaml');
    await writeFile(provision, provisionFile(nextclouds));
    const gateway = await startGateway({
      config: {
        DATABASE_URL: this.stores.databaseUrl,
        NATS_URL: this.stores.natsUrl,
        REDIS_URL: more.redisUrl ?? this.stores.redisUrl,
        KEYS_DIR: this.stores.keysDir,
        GATEWAY_HOST: '127.0.0.1',
        GATEWAY_PORT: 0,
        ENCRYPTION_KEY,
        PROVISION_FILE: provision,
        LOG_LEVEL: 'trace',
      },
      env: { APP_SECRET },
      logger: createLogger({ service: 'nextcloud-gateway', level: 'trace' }, this.logSink()),
      ...(more.timeouts && { timeouts: more.timeouts }),
    });
    this.gateways.push(gateway);
    return gateway;
  }

  attest(claims: Partial<AttestationClaims> = {}): Promise<string> {
    return signAttestation(this.ingress, claims);
  }

  serviceToken(request: { method: string; path: string }): Promise<string> {
    return signServiceToken(this.toolFiles, request);
  }

  /** Sends what tool-files would send, with what `asked` changes, and leaves the answer unread. */
  async open(gateway: RunningGateway, asked: Asked): Promise<IncomingMessage> {
    const { method = 'GET', instance = 'default', tool = 'files_list', uid = 'alice', attested } = asked;
    const target = asked.path === RESOLVE_PATH ? RESOLVE_PATH : nextcloudPath(instance, asked.path);
    const headers: OutgoingHttpHeaders = {
      authorization: `Bearer ${await this.serviceToken({ method, path: target })}`,
      'x-nuqloud-attestation': await this.attest({ sub: `users/${uid}`, instance, ...attested }),
      'x-nuqloud-tool': tool,
      'x-nuqloud-mode': 'user',
      'x-nuqloud-uid': encodeURIComponent(uid),
      ...asked.headers,
    };
    for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
    return send(gateway.url, method, target, headers, asked.body);
  }

  async ask(gateway: RunningGateway, asked: Asked): Promise<Answered> {
    const answer = await this.open(gateway, asked);
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const told = answer.headers['x-nuqloud-gateway-error'];
    const code = told === undefined ? undefined : GatewayError.parse(JSON.parse(body.toString('utf8'))).code;
    if (code !== told) throw new Error('Header and body of the refusal differ.');
    return { status: answer.statusCode ?? 0, headers: answer.headers, body, code };
  }

  resolve(gateway: RunningGateway, asked: Omit<Asked, 'path'> = {}): Promise<Answered> {
    const { tool = 'files_list' } = asked;
    return this.ask(gateway, {
      method: 'POST',
      body: JSON.stringify({ v: 1, tool }),
      ...asked,
      path: RESOLVE_PATH,
      headers: { 'content-type': 'application/json', ...asked.headers },
    });
  }

  async stopGateways(): Promise<void> {
    await Promise.all(this.gateways.splice(0).map((gateway) => gateway.close()));
  }

  async close(): Promise<void> {
    await this.stopGateways();
    await this.stores.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private logSink(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.logs.push(chunk.toString('utf8'));
        done();
      },
    });
  }
}

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

const provisionFile = (nextclouds: Readonly<Record<string, string>>): string =>
  [
    'version: 1',
    'instances:',
    ...Object.entries(nextclouds).map(
      ([id, url]) =>
        `  - { id: ${id}, url: "${url}", appApi: { id: nuqloud_ai, secret: "\${APP_SECRET}", version: 0.1.0 } }`,
    ),
    'bots:',
    '  - slug: nuq',
    `    instance: ${Object.keys(nextclouds)[0]}`,
    '    name: NuQ',
    '    talkSecret: ${NOBODY_HERE_HAS_THIS}',
    '    tools: [files_list, files_re*, files_write, files_mkdir, files_move, files_copy, calendar_list]',
    '',
  ].join('\n');

/** One request with the path exactly as given: `fetch` would tidy it up. */
const send = (
  base: string,
  method: string,
  target: string,
  headers: OutgoingHttpHeaders,
  body: string | Readable | undefined,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const request = httpRequest({ hostname, port, method, path: target, headers, agent: false });
    request.once('response', resolve);
    request.once('error', reject);
    if (body === undefined || typeof body === 'string') request.end(body);
    else body.pipe(request);
  });
