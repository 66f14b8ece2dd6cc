import { Controller } from '@nestjs/common';
import { ReadAppState, RegisterAppBot, ReportAppProgress, UnregisterAppBot } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { sealForReader } from '@nuqloud/platform';
import type { z } from 'zod';
import { AppApiCalls } from './appapi-calls';

/** What talk-ingress has done in the name of the app, without holding its secret. */
@Controller()
export class AppApiCallsController {
  constructor(private readonly calls: AppApiCalls) {}

  @OnRequest(ReadAppState)
  async state({
    instance,
  }: z.output<typeof ReadAppState.request>): Promise<z.input<typeof ReadAppState.reply>> {
    return { v: 1, enabled: await this.calls.isEnabled(instance) };
  }

  @OnRequest(ReportAppProgress)
  async progress({
    instance,
    progress,
  }: z.output<typeof ReportAppProgress.request>): Promise<z.input<typeof ReportAppProgress.reply>> {
    await this.calls.reportProgress(instance, progress);
    return { v: 1 };
  }

  @OnRequest(RegisterAppBot)
  async register({
    instance,
    name,
    description,
    replyKey,
  }: z.output<typeof RegisterAppBot.request>): Promise<z.input<typeof RegisterAppBot.reply>> {
    const secret = await this.calls.registerBot(instance, { name, description });
    return { v: 1, sealedSecret: await sealForReader(replyKey, secret) };
  }

  @OnRequest(UnregisterAppBot)
  async unregister({
    instance,
  }: z.output<typeof UnregisterAppBot.request>): Promise<z.input<typeof UnregisterAppBot.reply>> {
    return { v: 1, removed: await this.calls.unregisterBot(instance) };
  }
}
