import { Controller, Inject, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CollectToolProviders, ExecuteTool } from '@nuqloud/contracts';
import type {
  CollectToolProvidersReply,
  CollectToolProvidersRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
} from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ToolHost } from '../run/tool-host';

@Controller()
class ToolProviderController {
  constructor(@Inject(ToolHost) private readonly host: ToolHost<unknown>) {}

  @OnRequest(CollectToolProviders)
  collect(request: CollectToolProvidersRequest, _message: MessageContext): CollectToolProvidersReply {
    return this.host.collect(request);
  }

  @OnRequest(ExecuteTool)
  execute(request: ExecuteToolRequest, message: MessageContext): Promise<ExecuteToolReply> {
    return this.host.execute(request, message);
  }
}

@Module({})
export class ToolProviderModule {
  static forRoot<Call>(host: ToolHost<Call>): DynamicModule {
    return {
      module: ToolProviderModule,
      controllers: [ToolProviderController],
      providers: [{ provide: ToolHost, useValue: host }],
    };
  }
}
