import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Body, Controller, Headers, HttpCode, HttpException, Post, Res } from '@nestjs/common';
import { APP_BOT_ROUTE } from '@nuqloud/contracts';
import { AuthenticateApp } from '../authenticate-app/authenticate-app';
import { refuseApp } from '../authenticate-app/refuse-app';
import { isRefusal, REFUSALS } from '../receive-webhook/receive-webhook';
import { ReceiveAppMessage } from './receive-app-message';

/** The part of the server's response object that is used here. */
interface Reply {
  header(name: string, value: string): unknown;
}

/** Talk's door through AppAPI. AppAPI drops the answer and tells Talk 200 whenever there is one. */
@Controller()
export class ReceiveAppMessageController {
  constructor(
    private readonly logins: AuthenticateApp,
    private readonly messages: ReceiveAppMessage,
  ) {}

  @Post(APP_BOT_ROUTE)
  @HttpCode(200)
  async receive(
    @Headers() headers: IncomingHttpHeaders,
    @Body() body: Readable | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<object> {
    const login = await this.logins.authenticate(headers, `POST ${APP_BOT_ROUTE}`);
    const outcome =
      'refused' in login
        ? refuseApp(login.refused)
        : await this.messages.receive({ ...login, length: headers['content-length'], body });
    // What was not read is not waited for.
    if (body && !body.readableEnded) reply.header('Connection', 'close');
    if (outcome instanceof HttpException) throw outcome;
    if (isRefusal(outcome)) throw new HttpException({ error: outcome }, REFUSALS[outcome]);
    return {};
  }
}
