import { DeadLetter } from './dead-letter.v1';
import type { MessageContract } from './define-message';
import { RegisterAppBot, UnregisterAppBot } from '../appapi/app-bot.v1';
import { ReadAppState, ReportAppProgress } from '../appapi/app-state.v1';
import { VerifyAppLogin } from '../appapi/verify-app-login.v1';
import { AuditRecord } from '../audit/audit-record.v1';
import { ChatEvent } from '../chat/chat-event.v1';
import { AnswerConfirmation } from '../confirmation/answer-confirmation.v1';
import { ClaimApproval } from '../confirmation/claim-approval.v1';
import { ProposeConfirmation } from '../confirmation/propose-confirmation.v1';
import { ExamineModel } from '../examine/examine-model.v1';
import { ExamineNextcloud } from '../examine/examine-nextcloud.v1';
import { ExamineTalk } from '../examine/examine-talk.v1';
import { DescribeInstance } from '../gateway/describe-instance.v1';
import { DescribePerson } from '../gateway/describe-person.v1';
import { ReadHistory } from '../gateway/read-history.v1';
import type { ServiceName } from '../services';
import { CORE_PROVIDERS } from '../services';
import { PostPrompt, PromptFate } from '../talk/post-prompt.v1';
import { PostToRoom } from '../talk/post-to-room.v1';
import { ActOnApproval } from '../tools/act-on-approval.v1';
import { CollectToolProviders } from '../tools/collect-tool-providers.v1';
import { ExecuteTool } from '../tools/execute-tool.v1';
import { ToolsChanged } from '../tools/tools-changed.v1';

/** What one service may do on the bus; everything else is refused by the server. */
export interface BusAccess {
  /** Asks: requests and broadcasts it sends, events and stream messages it publishes. */
  readonly sends: readonly MessageContract[];
  /** Answers: requests and broadcasts it serves, events it hears. */
  readonly receives: readonly MessageContract[];
  /** Streams it reads, each through the one durable consumer that bears the service's name; whoever has one sends `DeadLetter`. */
  readonly consumes: readonly MessageContract[];
  /** Values that fill the subject patterns of this service; a parameter left open is a wildcard. */
  readonly params: Readonly<Record<string, string>>;
}

/** What a service that provides tools may do, under that provider's id. */
export const toolServiceAccess = (provider: string): BusAccess => ({
  sends: [ToolsChanged, ClaimApproval],
  receives: [CollectToolProviders, ExecuteTool, ActOnApproval],
  consumes: [],
  params: { provider },
});

/** What talk-ingress asks the gateway, which alone has the AppAPI secrets. */
const APP_LIFE_CYCLE = [VerifyAppLogin, ReadAppState, ReportAppProgress, RegisterAppBot, UnregisterAppBot];

export const BUS_ACCESS: Readonly<Record<ServiceName, BusAccess>> = {
  'talk-ingress': {
    sends: [ChatEvent, ReadHistory, ...APP_LIFE_CYCLE],
    receives: [PostToRoom, PostPrompt, PromptFate, ExamineTalk],
    consumes: [],
    params: {},
  },
  agent: {
    sends: [
      CollectToolProviders,
      ExecuteTool,
      ActOnApproval,
      ProposeConfirmation,
      AnswerConfirmation,
      ClaimApproval,
      PostToRoom,
      DescribeInstance,
      DescribePerson,
      DeadLetter,
    ],
    receives: [ToolsChanged, ExamineModel],
    consumes: [ChatEvent],
    params: { service: 'agent' },
  },
  confirmation: {
    sends: [PostPrompt, PromptFate, AuditRecord],
    receives: [ProposeConfirmation, AnswerConfirmation, ClaimApproval],
    consumes: [],
    params: { service: 'confirmation' },
  },
  'nextcloud-gateway': {
    sends: [AuditRecord],
    receives: [DescribeInstance, DescribePerson, ReadHistory, ExamineNextcloud, ...APP_LIFE_CYCLE],
    consumes: [],
    params: { service: 'nextcloud-gateway' },
  },
  'tool-files': toolServiceAccess(CORE_PROVIDERS['tool-files']),
};

/** What the operator `monitor` may ask the services, beside what NATS itself tells it: this is how the doctor examines. */
export const MONITOR_ACCESS: BusAccess = {
  sends: [CollectToolProviders, DescribeInstance, ExamineNextcloud, ExamineTalk, ExamineModel],
  receives: [],
  consumes: [],
  params: {},
};
