import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import type { Logger, RowSecrets, TokenSigner } from '@nuqloud/platform';
import { AcceptPost } from './accept-post/accept-post';
import { AcceptPostController } from './accept-post/accept-post.controller';
import { AcceptPromptController } from './accept-prompt/accept-prompt.controller';
import { BusChatLog } from './adapters/bus-chat-log';
import { BusRoomHistory } from './adapters/bus-room-history';
import { PrismaBotStore } from './adapters/prisma-bot-store';
import { PrismaKnownMessages } from './adapters/prisma-known-messages';
import { PrismaOutbox } from './adapters/prisma-outbox';
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
import { ReceiveWebhook } from './receive-webhook/receive-webhook';
import { ReceiveWebhookController } from './receive-webhook/receive-webhook.controller';
import { ReportPromptFateController } from './report-prompt-fate/report-prompt-fate.controller';
import { StoreEvent } from './store-event/store-event';

export interface TalkIngressDependencies {
  readonly bus: Bus;
  readonly prisma: PrismaClient;
  readonly signer: TokenSigner;
  readonly secrets: RowSecrets;
  readonly talk: TalkBotApi;
  readonly spool: Spool;
  readonly logger: Logger;
}

@Module({})
export class TalkIngressModule {
  static forRoot(given: TalkIngressDependencies): DynamicModule {
    const { bus, prisma, signer, secrets, talk, spool, logger } = given;
    const metrics = new IngressMetrics();
    const bots = new BotDirectory(new PrismaBotStore(prisma), secrets, logger);
    const outbox = new PrismaOutbox(prisma);
    const chatLog = new BusChatLog(bus);
    const knownMessages = new PrismaKnownMessages(prisma);
    const known = new NoteKnown(knownMessages, logger);
    const events = new StoreEvent(chatLog, spool, known, logger);
    const history = new BusRoomHistory(bus);
    const catchUp = new CatchUp(knownMessages, history, bots, signer, events, known, logger);
    const webhooks = new ReceiveWebhook(bots, signer, events, metrics, logger);
    const delivery = new DeliverOutbox(outbox, new DeliverPost(bots, talk, outbox, metrics, logger), logger);
    const posts = new AcceptPost(bots, outbox, () => delivery.wake(), logger);
    return {
      module: TalkIngressModule,
      controllers: [
        ReceiveWebhookController,
        AcceptPostController,
        AcceptPromptController,
        ReportPromptFateController,
        ExamineTalkController,
        ObserveController,
      ],
      providers: [
        { provide: BotDirectory, useValue: bots },
        { provide: ReceiveWebhook, useValue: webhooks },
        { provide: AcceptPost, useValue: posts },
        { provide: Outbox, useValue: outbox },
        { provide: DeliverOutbox, useValue: delivery },
        { provide: NoteKnown, useValue: known },
        { provide: CatchUp, useValue: catchUp },
        { provide: PublishSpool, useValue: new PublishSpool(spool, chatLog, metrics, logger) },
        { provide: ExamineTalk, useValue: new ExamineTalk(bots, talk, outbox, metrics) },
        { provide: IngressMetrics, useValue: metrics },
        { provide: Readiness, useValue: new Readiness(bus, bots, spool) },
      ],
    };
  }
}
