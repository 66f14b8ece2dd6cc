import { NestFactory } from '@nestjs/core';
import { ToolsChanged } from '@nuqloud/contracts';
import type { ProviderId, PublicKeyFile } from '@nuqloud/contracts';
import { BusServer } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { nestLogger, startService, TokenVerifier } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import { BusApprovalClaims } from '../approve/approval-claims';
import { ApprovalVerifier } from '../approve/approval-verifier';
import { ApprovedCalls } from '../approve/approved-calls';
import { CallPlanner } from '../approve/call-planner';
import type { ApprovalOptions } from '../approve/call-planner';
import type { Tool } from '../define/define-tool';
import { CallVerifier } from '../run/call-verifier';
import { ToolCatalogue } from '../run/tool-catalogue';
import { ToolHost } from '../run/tool-host';
import type { CreateCall } from '../run/verified-call';
import { ToolProviderModule } from './tool-provider.module';

export interface ToolProviderOptions<Call> {
  /** The provider's id on the bus, e.g. `files`: it answers on `tools.exec.files`. */
  readonly id: ProviderId;
  /** The process it runs in, e.g. `tool-files`. */
  readonly service: string;
  readonly version: string;
  readonly description: string;
  readonly tools: readonly Tool<Call>[];
  /** Belongs to the caller, who closes it after the provider. */
  readonly bus: Bus;
  readonly publicKeys: PublicKeyFile;
  readonly createCall: CreateCall<Call>;
  /** For our own services: without it, a call that needs the person's "yes" is refused. */
  readonly approvals?: ApprovalOptions<Call>;
  readonly logger: Logger;
  /** Calls in hand at once. */
  readonly maxInFlight?: number;
}

/** Offers tools on the bus until it is closed. Any number of replicas share the work. */
export const startToolProvider = <Call>(options: ToolProviderOptions<Call>): Promise<RunningService> =>
  startService(options.service, async (closing) => {
    const { id, bus, logger } = options;
    const { host, approved } = toolsOf(options);
    const app = await NestFactory.createMicroservice(ToolProviderModule.forRoot(host, approved), {
      strategy: new BusServer({
        bus,
        logger,
        version: options.version,
        description: options.description,
        params: { provider: id },
        ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
      }),
      logger: nestLogger(logger),
      abortOnError: false,
    });
    const announce = () => bus.publish(ToolsChanged, { provider: id }, { v: 1, provider: id });
    closing.add(app, async (application) => {
      // Closing takes the subscriptions away first, so that whoever hears the news finds nobody here any more.
      const closed = application.close();
      if (bus.connected) announce();
      await closed;
      await approved?.settled();
    });
    await app.listen();
    announce();
    return {};
  });

const toolsOf = <Call>(
  options: ToolProviderOptions<Call>,
): { host: ToolHost<Call>; approved: ApprovedCalls<Call> | undefined } => {
  const { id, bus, createCall, approvals, logger } = options;
  const tokens = new TokenVerifier(options.publicKeys);
  const verifier = new CallVerifier(tokens);
  const catalogue = new ToolCatalogue<Call>(id, options.tools, logger);
  const planner = new CallPlanner<Call>(id, approvals);
  return {
    host: new ToolHost<Call>({ catalogue, createCall, verifier, planner, logger }),
    approved:
      approvals &&
      new ApprovedCalls<Call>({
        catalogue,
        verifier: new ApprovalVerifier(id, verifier, tokens),
        claims: new BusApprovalClaims(bus, approvals.signer, logger),
        identify: approvals.identify,
        createCall,
        logger,
      }),
  };
};
