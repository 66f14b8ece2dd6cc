import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import type { Logger, RowSecrets, TokenSigner } from '@nuqloud/platform';
import { AcceptPost } from './accept-post/accept-post';
import { AcceptPostController } from './accept-post/accept-post.controller';
import { AcceptPromptController } from './accept-prompt/accept-prompt.controller';
import { BusAppGateway } from './adapters/bus-app-gateway';
import { BusChatLog } from './adapters/bus-chat-log';
import { BusRoomHistory } from './adapters/bus-room-history';
import { PrismaAppStore } from './adapters/prisma-app-store';
import { PrismaBotStore } from './adapters/prisma-bot-store';
import { PrismaKnownMessages } from './adapters/prisma-known-messages';
import { PrismaOutbox } from './adapters/prisma-outbox';
import { AppBots } from './app-life-cycle/app-bots';
import { AppLifeCycleController } from './app-life-cycle/app-life-cycle.controller';
import { ChangeApp } from './app-life-cycle/change-app';
import { ReportInit } from './app-life-cycle/report-init';
import { AuthenticateApp } from './authenticate-app/authenticate-app';
import { BotDirectory } from './bots/bot-directory';
import { CatchUp } from './catch-up/catch-up';
import { NoteKnown } from './catch-up/note-known';
import { DeliverOutbox } from './deliver-outbox/deliver-outbox';
import { DeliverPost } from './deliver-outbox/deliver-post';
import { ExamineTalk } from './examine-talk/examine-talk';
import { ExamineTalkController } from './examine-talk/examine-talk.controller';
import { IngressMetrics } from './observe/ingress-metrics';
import { ObserveController } from './observe/observe.controller';
import { Readiness } from './observe/readiness';
import { Outbox } from './ports/outbox';
import type { Spool } from './ports/spool';
import type { TalkBotApi } from './ports/talk-bot-api';
import { PublishSpool } from './publish-spool/publish-spool';
import { ReceiveAppMessage } from './receive-app-message/receive-app-message';
import { ReceiveAppMessageController } from './receive-app-message/receive-app-message.controller';
import { ReceiveWebhook } from './receive-webhook/receive-webhook';
import { ReceiveWebhookController } from './receive-webhook/receive-webhook.controller';
import { RecordEvent } from './record-event/record-event';
import { ReportPromptFateController } from './report-prompt-fate/report-prompt-fate.controller';
import { RoomDoors } from './room-doors/room-doors';
import { StoreEvent } from './store-event/store-event';
import { TestAppBot } from './test-app-bot/test-app-bot';

export interface TalkIngressDependencies {
  readonly bus: Bus;
  readonly prisma: PrismaClient;
  readonly signer: TokenSigner;
  /** Of the plain Talk bots. */
  readonly secrets: RowSecrets;
  /** Of the bots that are registered through AppAPI. */
  readonly appSecrets: RowSecrets;
  readonly talk: TalkBotApi;
  readonly spool: Spool;
  readonly logger: Logger;
}

@Module({})
export class TalkIngressModule {
  static forRoot(given: TalkIngressDependencies): DynamicModule {
    const { bus, prisma, signer, secrets, appSecrets, talk, spool, logger } = given;
    const metrics = new IngressMetrics();
    const bots = new BotDirectory(new PrismaBotStore(prisma), secrets, logger);
    const outbox = new PrismaOutbox(prisma);
    const chatLog = new BusChatLog(bus);
    const knownMessages = new PrismaKnownMessages(prisma);
    const known = new NoteKnown(knownMessages, logger);
    const events = new StoreEvent(chatLog, spool, known, logger);
    const history = new BusRoomHistory(bus);
    const catchUp = new CatchUp(knownMessages, history, bots, signer, events, known, logger);
    const apps = new PrismaAppStore(prisma);
    const gateway = new BusAppGateway(bus);
    const appBots = new AppBots(gateway, apps, appSecrets, logger);
    const recorder = new RecordEvent(signer, events, new RoomDoors(apps, logger), logger);
    const deliverPost = new DeliverPost(bots, appBots, talk, outbox, metrics, logger);
    const delivery = new DeliverOutbox(outbox, deliverPost, logger);
    const posts = new AcceptPost(bots, outbox, () => delivery.wake(), logger);
    return {
      module: TalkIngressModule,
      controllers: [
        ReceiveWebhookController,
        ReceiveAppMessageController,
        AppLifeCycleController,
        AcceptPostController,
        AcceptPromptController,
        ReportPromptFateController,
        ExamineTalkController,
        ObserveController,
      ],
      providers: [
        { provide: BotDirectory, useValue: bots },
        { provide: ReceiveWebhook, useValue: new ReceiveWebhook(bots, recorder, metrics, logger) },
        { provide: ReceiveAppMessage, useValue: new ReceiveAppMessage(bots, recorder, metrics, logger) },
        { provide: AuthenticateApp, useValue: new AuthenticateApp(gateway, logger) },
        { provide: ReportInit, useValue: new ReportInit(gateway, apps, logger) },
        { provide: ChangeApp, useValue: new ChangeApp(appBots, logger) },
        {
          provide: TestAppBot,
          useValue: new TestAppBot(gateway, appBots, apps, bots, talk, metrics, logger),
        },
        { provide: AcceptPost, useValue: posts },
        { provide: Outbox, useValue: outbox },
        { provide: DeliverOutbox, useValue: delivery },
        { provide: NoteKnown, useValue: known },
        { provide: CatchUp, useValue: catchUp },
        { provide: PublishSpool, useValue: new PublishSpool(spool, chatLog, metrics, logger) },
        { provide: ExamineTalk, useValue: new ExamineTalk(bots, appBots, talk, outbox, metrics) },
        { provide: IngressMetrics, useValue: metrics },
        { provide: Readiness, useValue: new Readiness(bus, bots, spool) },
      ],
    };
  }
}
