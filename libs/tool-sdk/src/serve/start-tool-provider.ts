import { NestFactory } from '@nestjs/core';
import { ToolsChanged } from '@nuqloud/contracts';
import type { ProviderId, PublicKeyFile } from '@nuqloud/contracts';
import { BusServer } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { nestLogger, startService, TokenVerifier } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import type { Tool } from '../define/define-tool';
import { CallVerifier } from '../run/call-verifier';
import { ToolHost } from '../run/tool-host';
import type { CreateCall } from '../run/tool-host';
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
  readonly logger: Logger;
  /** Calls in hand at once. */
  readonly maxInFlight?: number;
}

/** Offers tools on the bus until it is closed. Any number of replicas share the work. */
export const startToolProvider = <Call>(options: ToolProviderOptions<Call>): Promise<RunningService> =>
  startService(options.service, async (closing) => {
    const { id, bus, logger } = options;
    const host = new ToolHost<Call>({
      id,
      tools: options.tools,
      createCall: options.createCall,
      verifier: new CallVerifier(new TokenVerifier(options.publicKeys)),
      logger,
    });
    const app = await NestFactory.createMicroservice(ToolProviderModule.forRoot(host), {
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
    });
    await app.listen();
    announce();
    return {};
  });
