import { Injectable } from '@nestjs/common';
import { CollectToolProviders } from '@nuqloud/contracts';
import type { CollectToolProvidersReply, CollectToolProvidersRequest } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import { ToolProviders } from '../ports/tool-providers';
import type { ProviderAnswers } from '../ports/tool-providers';

const GRACE_MS = 100;

@Injectable()
export class BusToolProviders extends ToolProviders {
  constructor(private readonly bus: Bus) {
    super();
  }

  collect(
    instance: CollectToolProvidersRequest['instance'],
    expected: ReadonlySet<string>,
    onLate: (provider: string, reply: CollectToolProvidersReply) => void,
  ): Promise<ProviderAnswers> {
    return this.bus.collect(
      CollectToolProviders,
      {},
      { v: 1, instance },
      {
        expected,
        identify: ({ provider }) => provider,
        graceMs: GRACE_MS,
        maxWaitMs: CollectToolProviders.timeoutMs,
        onLate,
      },
    );
  }
}
