import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Body, Controller, Headers, HttpCode, HttpException, Param, Post, Res } from '@nestjs/common';
import { isRefusal, ReceiveWebhook, REFUSALS } from './receive-webhook';

/** The part of the server's response object that is used here. */
interface Reply {
  header(name: string, value: string): unknown;
}

/** Talk's door. Talk ignores the answer's body and knows only 200 (and 202) as success. */
@Controller()
export class ReceiveWebhookController {
  constructor(private readonly webhooks: ReceiveWebhook) {}

  @Post('webhook/talk/:bot')
  @HttpCode(200)
  async receive(
    @Param('bot') slug: string,
    @Headers() headers: IncomingHttpHeaders,
    @Body() body: Readable | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<object> {
    const outcome = await this.webhooks.receive({
      slug,
      random: one(headers['x-nextcloud-talk-random']),
      signature: one(headers['x-nextcloud-talk-signature']),
      length: headers['content-length'],
      body,
    });
    if (!isRefusal(outcome)) return {};
    // What was not read is not waited for.
    if (body && !body.readableEnded) reply.header('Connection', 'close');
    throw new HttpException({ error: outcome }, REFUSALS[outcome]);
  }
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
