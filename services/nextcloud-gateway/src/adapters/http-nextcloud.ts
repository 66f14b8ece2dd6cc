import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { errorCode } from '@nuqloud/platform';
import { appApiHeaders } from '../domain/appapi-headers';
import { BackOff } from '../domain/back-off';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { isWrite } from '../domain/is-write';
import type { Instance } from '../domain/instance';
import { Nextcloud } from '../ports/nextcloud';
import type { NextcloudAnswer, NextcloudRequest } from '../ports/nextcloud';

export interface NextcloudTimeouts {
  /** Until the connection stands, in milliseconds. */
  readonly connectMs: number;
  /** Without a byte in either direction, in milliseconds; a slowed-down login takes Nextcloud up to 25 s. */
  readonly silenceMs: number;
}

const TIMEOUTS: NextcloudTimeouts = { connectMs: 3_000, silenceMs: 40_000 };

/** Idle connections end before the server's own limit (5 s for Apache), so that none is used while it is being closed. */
const CONNECTIONS = { keepAlive: true, timeout: 4_000, maxSockets: 64, maxFreeSockets: 8 } as const;

const USER_AGENT = 'NuQloud-AI';

/** Nextcloud over HTTP, with connections that are kept open for the next request. */
export class HttpNextcloud extends Nextcloud {
  private readonly plain = new http.Agent(CONNECTIONS);
  private readonly secure = new https.Agent(CONNECTIONS);
  private readonly backOff = new BackOff();

  constructor(
    private readonly timeouts: NextcloudTimeouts = TIMEOUTS,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  override async send(
    instance: Instance,
    uid: string | null,
    request: NextcloudRequest,
  ): Promise<NextcloudAnswer> {
    const wait = this.backOff.remainingS(instance.id, this.now());
    if (wait > 0) throw backingOff(wait);
    const credentials = uid === null ? {} : credentialsOf(instance, uid);
    const message = await this.exchange(instance, request, credentials);
    const answer = { status: message.statusCode ?? 0, headers: message.headers, body: message };
    const refusal = this.refusalOf(instance, uid, answer);
    if (!refusal) return answer;
    message.destroy();
    throw refusal;
  }

  /** Ends the idle connections; those in use end with their requests. */
  close(): void {
    this.plain.destroy();
    this.secure.destroy();
  }

  private refusalOf(
    instance: Instance,
    uid: string | null,
    { status, headers }: NextcloudAnswer,
  ): GatewayRefusal | undefined {
    if (status === 429)
      return backingOff(this.backOff.pause(instance.id, headers['retry-after'], this.now()), status);
    if (status === 401 && uid !== null) {
      return new GatewayRefusal(
        GATEWAY_REFUSALS.CREDENTIALS_REFUSED,
        `Nextcloud did not accept the AppAPI login of the instance ${instance.id}. Check that the app is registered and enabled there, and its id, version and secret here.`,
        { nextcloudStatus: status },
      );
    }
    if (status >= 300 && status < 400 && status !== 304) {
      return new GatewayRefusal(
        GATEWAY_REFUSALS.REDIRECTED,
        `Nextcloud redirected the request. Check the base URL of the instance ${instance.id}: scheme, host and sub-folder.`,
        { nextcloudStatus: status },
      );
    }
    return undefined;
  }

  private exchange(
    { baseUrl }: Instance,
    { method, path, headers, body, signal, patienceMs = Infinity }: NextcloudRequest,
    credentials: http.OutgoingHttpHeaders,
  ): Promise<http.IncomingMessage> {
    const { protocol, hostname, port } = urlToHttpOptions(new URL(baseUrl.origin));
    const secure = protocol === 'https:';
    const outgoing = (secure ? https : http).request({
      ...(hostname ? { hostname } : {}),
      ...(port ? { port } : {}),
      agent: secure ? this.secure : this.plain,
      method,
      path: baseUrl.path + path,
      headers: { ...headers, 'user-agent': USER_AGENT, ...credentials },
      timeout: Math.min(patienceMs, this.timeouts.silenceMs),
      ...(signal ? { signal } : {}),
    });
    limitTime(outgoing, this.timeouts.connectMs);
    const connection = watchConnection(outgoing, secure);
    if (body instanceof Readable) body.pipe(outgoing);
    else outgoing.end(body);
    return answerTo(outgoing, () => isWrite(method) && connection.stood);
  }
}

const credentialsOf = (instance: Instance, uid: string): Record<string, string> => {
  if (instance.appApi) return appApiHeaders(instance.appApi, uid);
  throw new GatewayRefusal(
    GATEWAY_REFUSALS.NO_APPAPI,
    `The instance ${instance.id} has no AppAPI values, so nobody can act there; an administrator can add them to the provision file.`,
  );
};

class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

const limitTime = (outgoing: http.ClientRequest, connectMs: number): void => {
  outgoing.on('timeout', () => outgoing.destroy(new TimedOut()));
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => outgoing.destroy(new TimedOut()), connectMs);
    socket.once('connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
};

/** Before a connection stands nothing of a request has left; afterwards nobody can tell how much of it has arrived. */
const watchConnection = (outgoing: http.ClientRequest, secure: boolean): { readonly stood: boolean } => {
  const connection = { stood: false };
  const stands = () => {
    connection.stood = true;
  };
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', stands);
    else stands();
  });
  return connection;
};

/** @param mayBeDone whether, without an answer, what was asked for may have been done */
const answerTo = async (
  outgoing: http.ClientRequest,
  mayBeDone: () => boolean,
): Promise<http.IncomingMessage> => {
  // Once the answer has begun, a failure shows in its body; here it only must not go without a listener.
  outgoing.on('error', () => undefined);
  try {
    const [message] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    return message;
  } catch (error) {
    throw mayBeDone() ? outcomeUnknown(error) : connectionFailure(error);
  }
};

const outcomeUnknown = (cause: unknown): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.OUTCOME_UNKNOWN,
    'Nextcloud was asked to change something and gave no answer: it may have been done or not. Look before trying again.',
    { cause },
  );

const connectionFailure = (cause: unknown): GatewayRefusal => {
  if (cause instanceof TimedOut) {
    return new GatewayRefusal(GATEWAY_REFUSALS.TIMEOUT, 'Nextcloud did not answer in time.', { cause });
  }
  // The parser's codes: an answer came, but it was no HTTP.
  if (errorCode(cause).startsWith('HPE_')) {
    return new GatewayRefusal(GATEWAY_REFUSALS.UNREADABLE_ANSWER, 'Nextcloud did not answer in HTTP.', {
      cause,
    });
  }
  return new GatewayRefusal(GATEWAY_REFUSALS.UNREACHABLE, 'Nextcloud cannot be reached at the moment.', {
    cause,
  });
};

const backingOff = (seconds: number, nextcloudStatus?: number): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.BACKING_OFF,
    `Nextcloud asked for fewer requests; nothing is sent to it for ${seconds} s.`,
    { retryAfterS: seconds, ...(nextcloudStatus !== undefined && { nextcloudStatus }) },
  );
