import { randomUUID } from 'node:crypto';
import {
  CLAIM_PROOF_AUDIENCE,
  CLAIM_PROOF_TYPE,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  quotationToHash,
} from '@nuqloud/contracts';
import type {
  ActionOutcome,
  AnswerConfirmationReply,
  PlannedAction,
  Proposal,
  RepliedMessage,
} from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import { newContext } from '@nuqloud/messaging';
import { actionHash, createLogger, effectHash, sha256, TokenSigner } from '@nuqloud/platform';
import { signAttestation } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { PrismaBots } from '../../src/adapters/prisma-bots';
import { PrismaClaims } from '../../src/adapters/prisma-claims';
import { PrismaPrompts } from '../../src/adapters/prisma-prompts';
import type { UseCases } from '../../src/use-cases';
import { createUseCases } from '../../src/use-cases';
import { claimsOf, deletionEffect } from '../confirmation-bed';
import { PlayedAudit } from './played-audit';
import { PlayedTalk } from './played-talk';
import type { Said, Where } from './rules-model';

const START = Date.parse('2026-03-01T12:00:00Z');

export type Signers = Readonly<Record<string, TokenSigner>>;

export interface Question extends Where {
  readonly who: string;
  readonly message: string;
  readonly providers: readonly ('files' | 'acme')[];
  readonly attestation: string;
}

/** A message with all that travels with it. */
export interface Relayed {
  readonly said: Said;
  readonly request: { v: 1; attestation: string; text: string; quoted?: RepliedMessage };
}

/** The keys of everybody who signs in a play. */
export const signersOf = async (bed: TestBed): Promise<Signers> => {
  const names = ['talk-ingress', 'agent', 'tool-files', 'confirmation', 'tool-acme', 'nextcloud-gateway'];
  const signers = names.map(
    async (name) => [name, new TokenSigner(name, (await bed.keysOf(name)).signing)] as const,
  );
  return Object.fromEntries(await Promise.all(signers));
};

/** The service of one play: two replicas on the real database, with clocks, Talk and the audit of the play. */
export class Stage {
  /** Of talk-ingress. */
  ingressClock = START;
  /** How far the service's own clock goes wrong. */
  skew = 0;
  readonly talk = new PlayedTalk(() => this.ingressClock);
  readonly audit = new PlayedAudit();
  private replicas: [UseCases, UseCases];
  private turn = 0;
  private messages = 1_000;
  private codes: number;

  constructor(
    private readonly bed: TestBed,
    private readonly prisma: PrismaClient,
    private readonly signers: Signers,
    seed: number,
  ) {
    this.codes = seed;
    this.replicas = [this.startReplica(), this.startReplica()];
  }

  get serviceClock(): number {
    return this.ingressClock + this.skew;
  }

  newMessage(): string {
    return String((this.messages += 1));
  }

  restart(): void {
    this.replicas = [this.startReplica(), this.startReplica()];
  }

  async attest(where: Where, over: Partial<Said>, text: string, quoted?: RepliedMessage): Promise<string> {
    return signAttestation(this.signer('talk-ingress'), {
      instance: where.instance,
      bot: where.bot,
      room: where.room,
      ...(where.thread !== undefined && { thread: where.thread }),
      sub: over.who ?? '',
      message: over.id ?? '',
      kind: over.kind ?? 'message',
      textHash: sha256(text),
      at: over.at ?? this.ingressClock,
      ...(quoted && { replyTo: quoted.messageId, quotedHash: sha256(quotationToHash(quoted)) }),
    });
  }

  async ask(question: Question): Promise<{ confirmation: string; text: string }> {
    const proposals = await Promise.all(
      question.providers.map((provider, n) => this.proposal(question, provider, n)),
    );
    return this.replica().propose.propose(
      { v: 1, attestation: question.attestation, proposals, language: 'en', zone: null },
      context(),
    );
  }

  answer({ request }: Relayed): Promise<AnswerConfirmationReply> {
    return this.replica().answer.answer(request, context());
  }

  async claim(grant: string, claimant: string): Promise<string> {
    const iat = Math.floor(this.serviceClock / 1_000);
    const proof = await this.signer(claimant).sign(CLAIM_PROOF_TYPE, {
      aud: CLAIM_PROOF_AUDIENCE,
      jti: claimsOf(grant).jti,
      iat,
      exp: iat + 30,
    });
    return (await this.replica().claim.claim(grant, proof, context())).token;
  }

  settle(token: string, state: ActionOutcome['state']): Promise<void> {
    return this.replica().claim.settle(token, { state, text: `It is ${state}.` }, context());
  }

  sweep(): Promise<void> {
    return this.replica().sweep.sweep();
  }

  /** Every other call goes to the other replica. */
  private replica(): UseCases {
    this.turn += 1;
    return this.turn % 2 === 0 ? this.replicas[0] : this.replicas[1];
  }

  private startReplica(): UseCases {
    return createUseCases({
      publicKeys: this.bed.publicKeys,
      signer: this.signer('confirmation'),
      logger: createLogger({ service: 'confirmation', level: 'silent' }),
      ttlMs: 600_000,
      clock: () => this.serviceClock,
      // Any sequence will do, as long as the same play gets the same codes.
      random: (below) => (this.codes = (this.codes * 1_103_515_245 + 12_345) % 2_147_483_648) % below,
      bots: new PrismaBots(this.prisma),
      prompts: new PrismaPrompts(this.prisma),
      claims: new PrismaClaims(this.prisma),
      talk: this.talk,
      audit: this.audit,
    });
  }

  private async proposal(question: Question, provider: 'files' | 'acme', n: number): Promise<Proposal> {
    const file = `/Docs/${question.message}-${n}.md`;
    if (provider === 'acme') {
      return { call: { provider, tool: 'acme_send', label: 'Send', arguments: { file }, sources: [] } };
    }
    const action = deletionOf(question, file);
    const iat = Math.floor(this.serviceClock / 1_000);
    const plan = await this.signer('tool-files').sign(PLAN_TYPE, {
      aud: PLAN_AUDIENCE,
      jti: randomUUID(),
      iat,
      exp: iat + 60,
      actions: [{ action, hash: actionHash(action), effect: deletionEffect(file) }],
    });
    return { plan };
  }

  private signer(service: string): TokenSigner {
    const signer = this.signers[service];
    if (!signer) throw new Error(`No keys of ${service}.`);
    return signer;
  }
}

const context = () => newContext(Date.now() + 60_000);

const deletionOf = (
  { who, message, instance, bot, room, thread }: Question,
  file: string,
): PlannedAction => ({
  v: 1,
  provider: 'files',
  tool: 'files_delete',
  arguments: { path: file },
  targets: [{ id: '42', name: file, revision: '"e1"' }],
  sub: who,
  instance,
  bot,
  room,
  ...(thread !== undefined && { thread }),
  message,
  mode: 'user',
  profile: null,
  uid: who.slice('users/'.length),
  effectHash: effectHash(deletionEffect(file)),
});
