import type { AppLogin, AppLoginVerdict } from '@nuqloud/contracts';
import { provesAppLogin } from '@nuqloud/platform';
import type { RegisteredApps } from '../ports/registered-apps';

/** Says whether the headers that came to talk-ingress are those of a Nextcloud, and of which. */
export class VerifyAppLogins {
  constructor(private readonly apps: RegisteredApps) {}

  /** @throws GatewayRefusal STORE_UNAVAILABLE */
  async verify({ appId, version, nonce, proof }: AppLogin): Promise<AppLoginVerdict> {
    const apps = await this.apps.withAppId(appId);
    if (apps.length === 0) return refused('UNKNOWN_APP');
    const [caller, ...others] = apps.filter(
      ({ appApi }) => appApi && provesAppLogin(appApi.secret, nonce, proof),
    );
    if (!caller) return refused('WRONG_SECRET');
    if (others.length > 0) return refused('AMBIGUOUS');
    const expected = caller.appApi?.version;
    if (version !== expected) return { ...refused('WRONG_VERSION'), expected };
    return { v: 1, accepted: true, instance: caller.id };
  }
}

type Refused = Extract<AppLoginVerdict, { accepted: false }>;

const refused = (reason: Refused['reason']): Refused => ({ v: 1, accepted: false, reason });
