import { Controller, Inject, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ActOnApproval, CollectToolProviders, ExecuteTool } from '@nuqloud/contracts';
import type {
  ActOnApprovalReply,
  ActOnApprovalRequest,
  CollectToolProvidersReply,
  CollectToolProvidersRequest,
  ExecuteToolReply,
  ExecuteToolRequest,
} from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { ApprovedCalls } from '../approve/approved-calls';
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

/** Only our own services get approvals: a third party's are claimed by the agent. */
@Controller()
class ApprovedCallsController {
  constructor(@Inject(ApprovedCalls) private readonly approved: ApprovedCalls<unknown>) {}

  @OnRequest(ActOnApproval)
  act(request: ActOnApprovalRequest, message: MessageContext): Promise<ActOnApprovalReply> {
    return this.approved.act(request, message);
  }
}

@Module({})
export class ToolProviderModule {
  static forRoot<Call>(host: ToolHost<Call>, approved: ApprovedCalls<Call> | undefined): DynamicModule {
    return {
      module: ToolProviderModule,
      controllers: [ToolProviderController, ...(approved ? [ApprovedCallsController] : [])],
      providers: [
        { provide: ToolHost, useValue: host },
        ...(approved ? [{ provide: ApprovedCalls, useValue: approved }] : []),
      ],
    };
  }
}
