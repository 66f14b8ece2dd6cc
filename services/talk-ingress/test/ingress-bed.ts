import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { createLogger, parseEnvironment } from '@nuqloud/platform';
import { startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { startTalkIngress, TalkIngressConfig } from '../src';
import type { RunningTalkIngress } from '../src';

/** Secrets of the two bots; the logs are searched for them. */
export const SECRETS = { nuq: `canary-${'n'.repeat(40)}`, helper: `canary-${'h'.repeat(40)}` };
export type BotName = keyof typeof SECRETS;

/** Everything around talk-ingress is real but Talk. */
export class IngressBed {
  readonly logs: string[] = [];
  readonly encryptionKey = randomBytes(32).toString('base64');
  private readonly replicas: RunningTalkIngress[] = [];

  private constructor(
    readonly stores: TestBed,
    /** With the owner's login, to look into the tables. */
    readonly database: PrismaClient,
    private readonly folder: string,
    private readonly talkUrl: string,
  ) {}

  static async start(talkUrl: string): Promise<IngressBed> {
    const stores = await startTestBed();
    const folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-ingress-'));
    return new IngressBed(stores, createPrisma(stores.databaseUrl), folder, talkUrl);
  }

  /**
   * Starts one more replica with the bots `nuq` and `helper` of the instance `default`.
   * @param spool name of its spool, to take over that of a former one
   */
  async startIngress(spool?: string): Promise<RunningTalkIngress> {
    const replica = await this.startWith(this.provision(), this.encryptionKey, spool);
    this.replicas.push(replica);
    return replica;
  }

  spoolDir(spool: string): string {
    return path.join(this.folder, spool);
  }

  async startWith(
    provision: string,
    encryptionKey = this.encryptionKey,
    spool: string = randomUUID(),
  ): Promise<RunningTalkIngress> {
    const file = path.join(this.folder, 'provision.yaml');
    await writeFile(file, provision);
    const environment = {
      APP_PORT: '0',
      DATABASE_URL: this.stores.databaseUrl,
      NATS_URL: this.stores.natsUrl,
      KEYS_DIR: this.stores.keysDir,
      ENCRYPTION_KEY: encryptionKey,
      PROVISION_FILE: file,
      SPOOL_DIR: this.spoolDir(spool),
      LOG_LEVEL: 'trace',
    };
    const config = parseEnvironment(TalkIngressConfig, environment);
    const env = { NUQ_SECRET: SECRETS.nuq, HELPER_SECRET: SECRETS.helper };
    return startTalkIngress({ config, env, logger: this.logger() });
  }

  provision(bots: readonly BotName[] = ['nuq', 'helper']): string {
    const lines = bots.map((bot) => {
      const secret = `\${${bot.toUpperCase()}_SECRET}`;
      return `  - { slug: ${bot}, instance: default, name: ${bot}, talkSecret: "${secret}" }`;
    });
    return `version: 1\ninstances:\n  - { id: default, url: "${this.talkUrl}/index.php/" }\nbots:\n${lines.join('\n')}\n`;
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
    await this.database.$disconnect();
    await this.stores.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Log lines of that event. */
  logged(event: string): Record<string, unknown>[] {
    return this.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['event'] === event);
  }

  private logger() {
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.logs.push(chunk.toString());
        done();
      },
    });
    return createLogger({ service: 'talk-ingress', level: 'trace' }, destination);
  }
}

export interface SentWebhook {
  readonly bot?: string;
  readonly body: string | Buffer;
  readonly secret?: string;
  readonly random?: string;
  readonly headers?: Record<string, string>;
}

/** Delivers a webhook as Talk does. */
export const sendWebhook = async (url: string, webhook: SentWebhook): Promise<Response> => {
  const { bot = 'nuq', body, secret = SECRETS.nuq, random = talkRandom(), headers } = webhook;
  return fetch(`${url}/webhook/talk/${bot}`, {
    method: 'POST',
    body: body as string,
    headers: {
      'Content-Type': 'application/json',
      'X-Nextcloud-Talk-Random': random,
      'X-Nextcloud-Talk-Signature': createHmac('sha256', secret).update(random).update(body).digest('hex'),
      'X-Nextcloud-Talk-Backend': 'https://elsewhere.example/',
      'OCS-APIRequest': 'true',
      ...headers,
    },
  });
};

export const talkRandom = (): string => randomBytes(48).toString('base64');
