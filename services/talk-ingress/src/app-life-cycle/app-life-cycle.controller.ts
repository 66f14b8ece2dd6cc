import type { IncomingHttpHeaders } from 'node:http';
import { BadRequestException, Controller, Get, Headers, HttpCode, Post, Put, Query } from '@nestjs/common';
import { AuthenticateApp } from '../authenticate-app/authenticate-app';
import { refuseApp } from '../authenticate-app/refuse-app';
import { ChangeApp } from './change-app';
import { ReportInit } from './report-init';

/** What Nextcloud's AppAPI calls while it installs, enables and disables this app. */
@Controller()
export class AppLifeCycleController {
  constructor(
    private readonly logins: AuthenticateApp,
    private readonly initialisation: ReportInit,
    private readonly app: ChangeApp,
  ) {}

  /** Asked without any login, before anything else is. */
  @Get('heartbeat')
  heartbeat(): object {
    return { status: 'ok' };
  }

  /** Taken at once; its end is reported, and within that report Nextcloud calls `/enabled`. */
  @Post('init')
  @HttpCode(200)
  async init(@Headers() headers: IncomingHttpHeaders): Promise<object> {
    await this.initialisation.take(await this.instanceOf(headers, 'POST /init'));
    return {};
  }

  /** AppAPI does not look at the status; an `error` that is not empty disables the app. */
  @Put('enabled')
  async enabled(
    @Headers() headers: IncomingHttpHeaders,
    @Query('enabled') enabled: unknown,
  ): Promise<{ error: string }> {
    const instance = await this.instanceOf(headers, 'PUT /enabled');
    if (enabled !== '0' && enabled !== '1') {
      throw new BadRequestException({ error: 'enabled must be 0 or 1: PUT /enabled?enabled=1' });
    }
    return { error: await this.app.change(instance, enabled === '1') };
  }

  private async instanceOf(headers: IncomingHttpHeaders, call: string): Promise<string> {
    const login = await this.logins.authenticate(headers, call);
    if ('refused' in login) throw refuseApp(login.refused);
    return login.instance;
  }
}
