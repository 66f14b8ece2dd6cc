import { Module } from '@nestjs/common';
import type { DynamicModule, FactoryProvider } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import type { RedisClientType } from '@nuqloud/database';
import { Bus } from '@nuqloud/messaging';
import { LOGGER, TokenSigner, TokenVerifier } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { BusConfirmations, SIGNER } from './adapters/bus-confirmations';
import { BusNextcloud } from './adapters/bus-nextcloud';
import { BusRoomPosts } from './adapters/bus-room-posts';
import { BusToolCalls } from './adapters/bus-tool-calls';
import { BusToolProviders } from './adapters/bus-tool-providers';
import { OPENAI_OPTIONS, OpenAiModel } from './adapters/openai/openai-model';
import type { OpenAiOptions } from './adapters/openai/openai-model';
import { PrismaConversations } from './adapters/prisma-conversations';
import { PrismaInbox } from './adapters/prisma-inbox';
import { PrismaKnownTools } from './adapters/prisma-known-tools';
import { PrismaOpenPrompts } from './adapters/prisma-open-prompts';
import { PrismaReceipts } from './adapters/prisma-receipts';
import { PrismaRoomLeases } from './adapters/prisma-room-leases';
import { PrismaTurns } from './adapters/prisma-turns';
import { RememberingBots } from './adapters/remembering-bots';
import { REDIS, RedisBreaker } from './adapters/redis-breaker';
import { AnswerMessage, PROGRESS_AFTER_MS } from './answer-message/answer-message';
import { AskModel } from './answer-message/ask-model';
import { Converse } from './answer-message/converse';
import { DescribeWriter } from './answer-message/describe-writer';
import { QuickAnswer } from './answer-message/quick-answer';
import { RunTools } from './answer-message/run-tools';
import { CarryOut } from './confirm/carry-out';
import { MayUse } from './confirm/may-use';
import { Propose } from './confirm/propose';
import { RelayAnswer } from './confirm/relay-answer';
import { UndoLast } from './confirm/undo-last';
import { ExamineModel } from './examine-model/examine-model';
import { ExamineModelController } from './examine-model/examine-model.controller';
import { ForgetOldConversations } from './forget/forget-old-conversations';
import { Bots, KnownTools } from './ports/bots';
import { ModelBreaker, ProviderBreaker } from './ports/breaker';
import { Confirmations, OpenPrompts } from './ports/confirmations';
import { Model } from './ports/model';
import { Nextcloud } from './ports/nextcloud';
import { Receipts } from './ports/receipts';
import { RoomPosts } from './ports/room-posts';
import { Inbox, RoomLeases } from './ports/rooms';
import { ToolCalls } from './ports/tool-calls';
import { ToolProviders } from './ports/tool-providers';
import { Conversations, Turns } from './ports/turns';
import { ReceiveChatHandler } from './receive-chat/receive-chat.handler';
import { CORE, ToolRegistry } from './registry/tool-registry';
import { ToolsChangedHandler } from './registry/tools-changed.handler';
import { RoomDispatcher } from './work-rooms/room-dispatcher';
import { RoomWorker } from './work-rooms/room-worker';

export interface AgentDependencies {
  readonly bus: Bus;
  readonly prisma: PrismaClient;
  readonly redis: RedisClientType;
  readonly logger: Logger;
  readonly signer: TokenSigner;
  readonly tokens: TokenVerifier;
  readonly model: OpenAiOptions;
  /** Ids of our own tool providers: they win name collisions and are waited for. */
  readonly coreProviders: ReadonlySet<string>;
  /** Milliseconds after which a turn that still goes on says so once. */
  readonly progressAfterMs: number;
}

/** A silent provider is not waited for, an endpoint that is away is not asked, for so many seconds. */
const PROVIDER_BREAK_S = 30;
const MODEL_BREAK_S = 30;

const breaker = (provide: FactoryProvider['provide'], kind: string, seconds: number): FactoryProvider => ({
  provide,
  inject: [REDIS, LOGGER],
  useFactory: (redis: RedisClientType, logger: Logger) => new RedisBreaker(redis, logger, kind, seconds),
});

@Module({})
export class AgentModule {
  static forRoot(given: AgentDependencies): DynamicModule {
    return {
      module: AgentModule,
      controllers: [ReceiveChatHandler, ToolsChangedHandler, ExamineModelController],
      providers: [
        { provide: Bus, useValue: given.bus },
        { provide: PrismaClient, useValue: given.prisma },
        { provide: REDIS, useValue: given.redis },
        { provide: LOGGER, useValue: given.logger },
        { provide: SIGNER, useValue: given.signer },
        { provide: TokenVerifier, useValue: given.tokens },
        { provide: OPENAI_OPTIONS, useValue: given.model },
        { provide: CORE, useValue: given.coreProviders },
        { provide: PROGRESS_AFTER_MS, useValue: given.progressAfterMs },
        { provide: Inbox, useClass: PrismaInbox },
        { provide: RoomLeases, useClass: PrismaRoomLeases },
        { provide: Turns, useClass: PrismaTurns },
        { provide: Conversations, useClass: PrismaConversations },
        { provide: Bots, useClass: RememberingBots },
        { provide: KnownTools, useClass: PrismaKnownTools },
        { provide: Nextcloud, useClass: BusNextcloud },
        { provide: RoomPosts, useClass: BusRoomPosts },
        { provide: ToolCalls, useClass: BusToolCalls },
        { provide: ToolProviders, useClass: BusToolProviders },
        breaker(ProviderBreaker, 'tools', PROVIDER_BREAK_S),
        breaker(ModelBreaker, 'model', MODEL_BREAK_S),
        { provide: Confirmations, useClass: BusConfirmations },
        { provide: OpenPrompts, useClass: PrismaOpenPrompts },
        { provide: Receipts, useClass: PrismaReceipts },
        { provide: Model, useClass: OpenAiModel },
        ToolRegistry,
        RunTools,
        RelayAnswer,
        Propose,
        MayUse,
        CarryOut,
        UndoLast,
        DescribeWriter,
        QuickAnswer,
        AskModel,
        Converse,
        AnswerMessage,
        RoomWorker,
        RoomDispatcher,
        ForgetOldConversations,
        ExamineModel,
      ],
    };
  }
}
