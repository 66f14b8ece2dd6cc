import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { PublicKeyFile } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import { TokenVerifier } from '@nuqloud/platform';
import type { AuditSigner, Logger, RowSecrets } from '@nuqloud/platform';
import { BusAuditLog } from './adapters/bus-audit-log';
import { PrismaGrantTable } from './adapters/prisma-grant-table';
import { PrismaInstanceDirectory } from './adapters/prisma-instance-directory';
import { RedisReplayGuard } from './adapters/redis-replay-guard';
import type { TokenMemory } from './adapters/redis-replay-guard';
import { AuditedWrites } from './audit-write/audited-writes';
import { AuthenticateCaller } from './authenticate-caller/authenticate-caller';
import { AppApiCalls } from './call-appapi/appapi-calls';
import { AppApiCallsController } from './call-appapi/appapi-calls.controller';
import { DescribeInstanceController } from './describe-instance/describe-instance.controller';
import { InstanceDescriptions } from './describe-instance/instance-descriptions';
import { DescribePersonController } from './describe-person/describe-person.controller';
import { ExamineNextcloud } from './examine-nextcloud/examine-nextcloud';
import { ExamineNextcloudController } from './examine-nextcloud/examine-nextcloud.controller';
import { ForwardRequest } from './forward-request/forward-request';
import { HealthController } from './health/health.controller';
import { Readiness } from './health/readiness';
import { KnownPeople } from './identify-person/known-people';
import { InstanceDirectory } from './ports/instance-directory';
import type { Nextcloud } from './ports/nextcloud';
import { ReadHistoryController } from './read-history/read-history.controller';
import { RoomHistories } from './read-history/room-histories';
import { ResolveController } from './resolve-identity/resolve.controller';
import { ResolveIdentity } from './resolve-identity/resolve-identity';
import { VerifyAttestation } from './resolve-identity/verify-attestation';
import { VerifyAppLogins } from './verify-app-login/verify-app-login';
import { VerifyAppLoginController } from './verify-app-login/verify-app-login.controller';

export interface GatewayDependencies {
  readonly bus: Bus;
  readonly prisma: PrismaClient;
  readonly redis: TokenMemory;
  readonly nextcloud: Nextcloud;
  readonly publicKeys: PublicKeyFile;
  readonly auditSigner: AuditSigner;
  readonly logger: Logger;
  readonly secrets: RowSecrets;
}

@Module({})
export class GatewayModule {
  static forRoot(given: GatewayDependencies): DynamicModule {
    const { bus, prisma, redis, nextcloud, publicKeys, auditSigner, logger, secrets } = given;
    // Two verifiers, because each keeps the tokens it has verified: one-time tokens must not push out attestations.
    const attestations = new VerifyAttestation(new TokenVerifier(publicKeys));
    const caller = new AuthenticateCaller(new TokenVerifier(publicKeys), new RedisReplayGuard(redis, logger));
    const instances = new PrismaInstanceDirectory(prisma, secrets);
    const people = new KnownPeople(nextcloud);
    const identities = new ResolveIdentity(attestations, instances, new PrismaGrantTable(prisma));
    const writes = new AuditedWrites(new BusAuditLog(bus, auditSigner), logger, randomUUID);
    const forward = new ForwardRequest(caller, identities, people, nextcloud, writes);
    const appApi = new AppApiCalls(instances, nextcloud, logger);
    return {
      module: GatewayModule,
      controllers: [
        ResolveController,
        DescribeInstanceController,
        DescribePersonController,
        ReadHistoryController,
        VerifyAppLoginController,
        AppApiCallsController,
        ExamineNextcloudController,
        HealthController,
      ],
      providers: [
        { provide: VerifyAttestation, useValue: attestations },
        { provide: AuthenticateCaller, useValue: caller },
        { provide: InstanceDirectory, useValue: instances },
        { provide: KnownPeople, useValue: people },
        { provide: ResolveIdentity, useValue: identities },
        { provide: ForwardRequest, useValue: forward },
        { provide: InstanceDescriptions, useValue: new InstanceDescriptions(instances, nextcloud, logger) },
        { provide: RoomHistories, useValue: new RoomHistories(instances, people, nextcloud) },
        { provide: VerifyAppLogins, useValue: new VerifyAppLogins(instances) },
        { provide: AppApiCalls, useValue: appApi },
        { provide: ExamineNextcloud, useValue: new ExamineNextcloud(instances, nextcloud, appApi) },
        { provide: Readiness, useValue: new Readiness(bus, prisma) },
      ],
    };
  }
}
