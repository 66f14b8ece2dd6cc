import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  AnswerConfirmation,
  CLAIM_PROOF_AUDIENCE,
  CLAIM_PROOF_TYPE,
  ClaimApproval,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  PostPrompt,
  PromptFate,
  ProposeConfirmation,
  quotationToHash,
} from '@nuqloud/contracts';
import type {
  ActionOutcome,
  AnswerConfirmationReply,
  AttestationClaims,
  AuditRecordBody,
  ClaimApprovalReply,
  PlannedAction,
  PlannedEffect,
  PostPromptRequest,
  Proposal,
  ProposeConfirmationReply,
  RepliedMessage,
} from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import { actionHash, AuditVerifier, createLogger, effectHash, sha256, TokenSigner } from '@nuqloud/platform';
import type { RunningService } from '@nuqloud/platform';
import { signAttestation, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { AckPolicy, createInbox, headers } from 'nats';
import type { Msg } from 'nats';
import { stringify } from 'yaml';
import { startConfirmation } from '../src/start';

/** The service on real stores; talk-ingress, the agent and tool-files are played with their own credentials. */
export class ConfirmationBed {
  /** What talk-ingress was asked to post. */
  readonly posts: PostPromptRequest[] = [];
  readonly log: string[] = [];
  /** Per confirmation; a prompt that is not named was taken at once. */
  readonly fates = new Map<
    string,
    { postedAt: number | null; triedAt?: number | null; state?: string; othersSince?: boolean }
  >();
  /** While false talk-ingress cannot store what is to be posted. */
  takesPosts = true;

  private constructor(
    readonly bed: TestBed,
    readonly agent: Bus,
    readonly owner: PrismaClient,
    private readonly folder: string,
    private readonly signers: Readonly<Record<string, TokenSigner>>,
    private readonly services: RunningService[],
  ) {}

  static async open(): Promise<ConfirmationBed> {
    const bed = await startTestBed(['acme']);
    const folder = await mkdtemp(path.join(tmpdir(), 'confirmation-'));
    await writeFile(path.join(folder, 'provision.yaml'), stringify(PROVISION));
    const names = ['talk-ingress', 'agent', 'tool-files', 'confirmation', 'tool-acme', 'nextcloud-gateway'];
    const signers = await Promise.all(
      names.map(async (name) => [name, new TokenSigner(name, (await bed.keysOf(name)).signing)] as const),
    );
    const opened = new ConfirmationBed(
      bed,
      await bed.busOf('agent'),
      createPrisma(bed.databaseUrl),
      folder,
      Object.fromEntries(signers),
      [],
    );
    await opened.playIngress();
    await opened.startService();
    return opened;
  }

  async startService(): Promise<RunningService> {
    const service = await startConfirmation({
      config: {
        DATABASE_URL: this.bed.databaseUrl,
        NATS_URL: this.bed.natsUrl,
        KEYS_DIR: this.bed.keysDir,
        CONFIRMATION_TTL_S: 600,
        PROVISION_FILE: path.join(this.folder, 'provision.yaml'),
        LOG_LEVEL: 'trace',
      },
      env: {},
      logger: createLogger(
        { service: 'confirmation', level: 'trace' },
        { write: (line) => void this.log.push(line) },
      ),
    });
    this.services.push(service);
    return service;
  }

  async close(): Promise<void> {
    for (const service of this.services) await service.close();
    await this.owner.$disconnect();
    await this.bed.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  signer(service: string): TokenSigner {
    const signer = this.signers[service];
    if (!signer) throw new Error(`No keys of ${service}.`);
    return signer;
  }

  private signerOf(issuer: string | TokenSigner): TokenSigner {
    return typeof issuer === 'string' ? this.signer(issuer) : issuer;
  }

  attest(
    over: Partial<AttestationClaims> & { text?: string } = {},
    signer = this.signer('talk-ingress'),
  ): Promise<string> {
    const { text, ...claims } = over;
    return signAttestation(signer, {
      room: 'x7k2m9pq',
      ...(text !== undefined && { textHash: sha256(text) }),
      ...claims,
    });
  }

  plan(
    actions: readonly { action: PlannedAction; effect: PlannedEffect; hash?: string }[],
    issuer: string | TokenSigner = 'tool-files',
    over: object = {},
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    return this.signerOf(issuer).sign(PLAN_TYPE, {
      aud: PLAN_AUDIENCE,
      jti: randomUUID(),
      iat,
      exp: iat + 60,
      actions: actions.map(({ action, effect, hash }) => ({
        action,
        effect,
        hash: hash ?? actionHash(action),
      })),
      ...over,
    });
  }

  propose(
    attestation: string,
    proposals: readonly Proposal[],
    more: { language?: string; zone?: string | null } = {},
  ): Promise<ProposeConfirmationReply> {
    return this.agent.request(
      ProposeConfirmation,
      {},
      { v: 1, attestation, proposals: [...proposals], language: 'en', zone: null, ...more },
    );
  }

  /** Asks to delete one file, with all that belongs to it. */
  async ask(
    over: Partial<AttestationClaims> = {},
    file = '/Docs/plan.md',
  ): Promise<ProposeConfirmationReply> {
    const action = deletion(file, over);
    const plan = await this.plan([{ action, effect: deletionEffect(file) }]);
    return this.propose(await this.attest({ message: action.message, ...over }), [{ plan }]);
  }

  async answer(
    text: string,
    over: Partial<AttestationClaims> = {},
    quoted?: RepliedMessage,
  ): Promise<AnswerConfirmationReply> {
    const attestation = await this.attest({
      text,
      message: '2001',
      ...(quoted && { replyTo: quoted.messageId, quotedHash: sha256(quotationToHash(quoted)) }),
      ...over,
    });
    return this.agent.request(AnswerConfirmation, {}, { v: 1, attestation, text, ...(quoted && { quoted }) });
  }

  proof(jti: string, issuer: string | TokenSigner = 'tool-files', over: object = {}): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    return this.signerOf(issuer).sign(CLAIM_PROOF_TYPE, {
      aud: CLAIM_PROOF_AUDIENCE,
      jti,
      iat,
      exp: iat + 30,
      ...over,
    });
  }

  async claim(
    grant: string,
    issuer = 'tool-files',
  ): Promise<Extract<ClaimApprovalReply, { phase: 'claim' }>> {
    const proof = await this.proof(claimsOf(grant).jti, issuer);
    const reply = await this.agent.request(ClaimApproval, {}, { v: 1, phase: 'claim', grant, proof });
    if (reply.phase !== 'claim') throw new Error('Another phase was answered.');
    return reply;
  }

  settle(claim: string, outcome: ActionOutcome): Promise<ClaimApprovalReply> {
    return this.agent.request(ClaimApproval, {}, { v: 1, phase: 'settle', claim, outcome });
  }

  /** Everything that was recorded, in order; only the provisioner may make a consumer to read it with. */
  async audit(): Promise<AuditRecordBody[]> {
    const { connection } = await this.bed.busOf('provisioner');
    const manager = await connection.jetstreamManager({ checkAPI: false });
    const expected = (await manager.streams.info('AUDIT')).state.messages;
    if (expected === 0) return [];
    const inbox = createInbox('_INBOX_provisioner');
    const delivered = connection.subscribe(inbox, { max: expected });
    await manager.consumers.add('AUDIT', { deliver_subject: inbox, ack_policy: AckPolicy.None });
    const records: AuditRecordBody[] = [];
    const verifier = new AuditVerifier(this.bed.publicKeys);
    for await (const message of delivered) {
      const record = verifier.genuine(message.json());
      if (!record) throw new Error('The audit holds what confirmation did not record.');
      records.push(record);
    }
    return records;
  }

  /** Lets the audit take nothing more until it is emptied again. */
  async fillAudit(): Promise<{ empty: () => Promise<void> }> {
    const { connection } = await this.bed.busOf('provisioner');
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    const { state, config } = await streams.info('AUDIT');
    const messages = Math.max(1, state.messages);
    await streams.update('AUDIT', { ...config, max_msgs: messages });
    return {
      empty: async () => {
        await streams.update('AUDIT', { ...config, max_msgs: -1 });
      },
    };
  }

  private async playIngress(): Promise<void> {
    const bus = await this.bed.busOf('talk-ingress');
    bus.connection.subscribe(PostPrompt.subject, {
      callback: (_failure, message) => {
        if (!this.takesPosts) return refuse(message);
        const post = PostPrompt.request.parse(message.json());
        this.posts.push(post);
        const { confirmation, part } = post;
        if (part === 'prompt' && !this.fates.has(confirmation)) {
          this.fates.set(confirmation, { postedAt: Date.now() - 1_000 });
        }
        message.respond(JSON.stringify({ v: 1, duplicate: false, parts: 1 }));
      },
    });
    bus.connection.subscribe(PromptFate.subject, {
      callback: (_failure, message) => {
        const { confirmation } = PromptFate.request.parse(message.json());
        const fate = this.fates.get(confirmation) ?? { postedAt: null };
        const { postedAt, triedAt = postedAt, state, othersSince = false } = fate;
        message.respond(
          JSON.stringify({
            v: 1,
            state: state ?? (postedAt === null ? 'waiting' : 'posted'),
            triedAt: isoOf(triedAt),
            postedAt: isoOf(postedAt),
            othersSince,
          }),
        );
      },
    });
    await bus.connection.flush();
  }
}

/** As a service answers whose database is away. */
const refuse = (message: Msg): void => {
  const error = headers();
  error.set('Nats-Service-Error', 'OUTBOX.UNAVAILABLE');
  message.respond(JSON.stringify({ code: 'OUTBOX.UNAVAILABLE', message: 'Away.', retryable: true }), {
    headers: error,
  });
};

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

interface AnyClaims {
  readonly iss: string;
  readonly aud: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** What a token says, unverified. */
export const claimsOf = (token: string): AnyClaims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as AnyClaims;

let rooms = 0;

/** A room of its own for each test. */
export const newRoom = (): { room: string } => ({ room: `room${String((rooms += 1)).padStart(4, '0')}` });

export const deletion = (file: string, over: Partial<AttestationClaims> = {}): PlannedAction => ({
  v: 1,
  provider: 'files',
  tool: 'files_delete',
  arguments: { path: file },
  targets: [{ id: '42', name: file, revision: '"e1"' }],
  sub: over.sub ?? 'users/alice',
  instance: over.instance ?? 'default',
  bot: over.bot ?? 'nuq',
  room: over.room ?? 'x7k2m9pq',
  ...(over.thread !== undefined && { thread: over.thread }),
  message: over.message ?? '1567',
  mode: 'user',
  profile: null,
  uid: (over.sub ?? 'users/alice').slice('users/'.length),
  effectHash: effectHash(deletionEffect(file)),
});

export const deletionEffect = (file: string): PlannedEffect => ({
  verb: 'files.delete',
  target: file,
  facts: [
    { kind: 'size', bytes: 12_288 },
    { kind: 'access', names: ['Bob'], more: 0 },
    { kind: 'goes-to-trash' },
  ],
});

const bot = (slug: string, name: string) => ({
  slug,
  instance: 'default',
  name,
  talkSecret: 'a'.repeat(64),
  triggers: [`@${slug}`, slug],
});

const PROVISION = {
  version: 1,
  instances: [{ id: 'default', url: 'https://cloud.example.org' }],
  bots: [bot('nuq', 'NuQ'), bot('aux', 'Aux')],
};
