import { Controller } from '@nestjs/common';
import { VerifyAppLogin } from '@nuqloud/contracts';
import type { AppLogin, AppLoginVerdict } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { VerifyAppLogins } from './verify-app-login';

@Controller()
export class VerifyAppLoginController {
  constructor(private readonly logins: VerifyAppLogins) {}

  @OnRequest(VerifyAppLogin)
  verify(login: AppLogin): Promise<AppLoginVerdict> {
    return this.logins.verify(login);
  }
}
