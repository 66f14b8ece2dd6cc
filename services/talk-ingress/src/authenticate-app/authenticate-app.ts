import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AppLoginVerdict } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { readAppHeaders } from '../domain/app-headers';
import type { AppHeaders, HeaderFault } from '../domain/app-headers';
import type { AppGateway } from '../ports/app-gateway';

export type AppRefusal =
  | HeaderFault
  | Extract<AppLoginVerdict, { accepted: false }>['reason']
  /** The gateway could not be asked: the caller may be right. */
  | 'NOT_VERIFIED';

export type AppLoginResult =
  { readonly instance: string; readonly requestId: string | undefined } | { readonly refused: AppRefusal };

/** A login that was right stays right so long; a changed secret counts after that. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 100;

/** Which Nextcloud calls, by AppAPI's headers. What they hold is judged by the gateway and never logged. */
export class AuthenticateApp {
  private readonly accepted = new Map<string, { instance: string; until: number }>();

  constructor(
    private readonly gateway: Pick<AppGateway, 'verify'>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects. @param call for the log, e.g. `PUT /enabled` */
  async authenticate(headers: IncomingHttpHeaders, call: string): Promise<AppLoginResult> {
    const login = readAppHeaders(headers);
    if ('fault' in login) return this.refuse(login.fault, { call });
    const key = digestOf(login);
    const known = this.accepted.get(key);
    if (known && known.until > this.now()) return { instance: known.instance, requestId: login.requestId };
    try {
      const verdict = await this.gateway.verify(login);
      if (!verdict.accepted) return this.refuse(verdict.reason, { call, ...versionsOf(login, verdict) });
      this.remember(key, verdict.instance);
      return { instance: verdict.instance, requestId: login.requestId };
    } catch (error) {
      return this.refuse('NOT_VERIFIED', { call, ...describeError(error) });
    }
  }

  private remember(key: string, instance: string): void {
    if (this.accepted.size >= MOST_REMEMBERED) this.accepted.clear();
    this.accepted.set(key, { instance, until: this.now() + REMEMBERED_MS });
  }

  private refuse(reason: AppRefusal, about: object): AppLoginResult {
    this.logger.warn({ event: 'app.refused', reason, ...about });
    return { refused: reason };
  }
}

/** A version is told only to an administrator whose Nextcloud has the right secret. */
const versionsOf = ({ version }: AppHeaders, verdict: Extract<AppLoginVerdict, { accepted: false }>) =>
  verdict.reason === 'WRONG_VERSION' ? { version, expected: verdict.expected } : {};

/** Remembered in place of the secret itself. */
const digestOf = ({ appId, version, secret }: AppHeaders): string =>
  createHash('sha256')
    .update(JSON.stringify([appId, version, secret]))
    .digest('base64');
