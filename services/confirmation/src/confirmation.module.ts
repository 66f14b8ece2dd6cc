import { randomInt } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { PublicKeyFile } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import type { AuditSigner, Logger, TokenSigner } from '@nuqloud/platform';
import { BusAuditLog } from './adapters/bus-audit-log';
import { BusTalk } from './adapters/bus-talk';
import { PrismaBots } from './adapters/prisma-bots';
import { PrismaClaims } from './adapters/prisma-claims';
import { PrismaPrompts } from './adapters/prisma-prompts';
import { AnswerConfirmation } from './answer/answer-confirmation';
import { AnswerController } from './answer/answer.controller';
import { ClaimApproval } from './claim/claim-approval';
import { ClaimController } from './claim/claim.controller';
import { SweepConfirmations } from './expire/sweep-confirmations';
import { ProposeConfirmation } from './propose/propose-confirmation';
import { ProposeController } from './propose/propose.controller';
import { createUseCases } from './use-cases';

export interface ConfirmationDependencies {
  readonly bus: Bus;
  readonly prisma: PrismaClient;
  readonly publicKeys: PublicKeyFile;
  readonly signer: TokenSigner;
  readonly auditSigner: AuditSigner;
  /** Known to this service alone. */
  readonly auditSecret: string;
  readonly logger: Logger;
  readonly ttlMs: number;
}

@Module({})
export class ConfirmationModule {
  static forRoot(given: ConfirmationDependencies): DynamicModule {
    const { bus, prisma } = given;
    const { propose, answer, claim, sweep } = createUseCases({
      ...given,
      bots: new PrismaBots(prisma),
      prompts: new PrismaPrompts(prisma),
      claims: new PrismaClaims(prisma),
      talk: new BusTalk(bus),
      audit: new BusAuditLog(bus, given.auditSigner, given.auditSecret),
      clock: Date.now,
      random: randomInt,
    });
    return {
      module: ConfirmationModule,
      controllers: [ProposeController, AnswerController, ClaimController],
      providers: [
        { provide: ProposeConfirmation, useValue: propose },
        { provide: AnswerConfirmation, useValue: answer },
        { provide: ClaimApproval, useValue: claim },
        { provide: SweepConfirmations, useValue: sweep },
      ],
    };
  }
}
