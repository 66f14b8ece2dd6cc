import { randomUUID } from 'node:crypto';
import {
  GATEWAY_AUDIENCE,
  GATEWAY_ERROR_HEADER,
  GATEWAY_HEADERS,
  nextcloudPath,
  RESOLVE_PATH,
  ResolvedIdentity,
  SERVICE_TOKEN_TTL_S,
  SERVICE_TOKEN_TYPE,
} from '@nuqloud/contracts';
import type { InstanceId, ResolveRequest, ToolName } from '@nuqloud/contracts';
import type { TokenSigner } from '@nuqloud/platform';
import {
  gatewayAway,
  gatewayRefusal,
  invalidGatewayAnswer,
  mayBeDone,
  outcomeUnknown,
} from './gateway-errors';
import { NextcloudResponse } from './nextcloud-response';

export interface GatewayClientOptions {
  /** `GATEWAY_URL`. */
  readonly url: string;
  /** The Nextcloud in which the message was written. */
  readonly instance: InstanceId;
  /** Signs in the name of the tool service, from whose key the gateway knows the family. */
  readonly signer: TokenSigner;
  /** Who asked; the gateway acts for nobody else. */
  readonly attestation: string;
  readonly tool: ToolName;
  /** Ends every request of the call. */
  readonly signal: AbortSignal;
  /** As whom it is to be done, where a person approved it so: the gateway refuses whatever it resolves otherwise. */
  readonly actAs?: ActingIdentity | undefined;
}

/** As whom Nextcloud is asked. */
export type ActingIdentity = Pick<ResolvedIdentity, 'mode' | 'profile' | 'uid'>;

export interface NextcloudRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const MAX_IDENTITY_BYTES = 16 * 1024;

/**
 * Nextcloud as one tool call sees it: through the gateway, as whoever the gateway says.
 * One per tool call. It holds no credential, only the proof of who asked.
 */
export class GatewayClient {
  private readonly origin: string;
  private resolved: Promise<ResolvedIdentity> | undefined;

  constructor(private readonly options: GatewayClientOptions) {
    this.origin = options.url.replace(/\/+$/, '');
  }

  /** Ends when the call is over. */
  get signal(): AbortSignal {
    return this.options.signal;
  }

  /** As whom the gateway lets the tool act; asked once per call. @throws AppError with the gateway's code */
  resolve(): Promise<ResolvedIdentity> {
    this.resolved ??= this.askIdentity();
    return this.resolved;
  }

  /** As whom the requests of this call are made. @throws AppError with the gateway's code */
  async identity(): Promise<ActingIdentity> {
    return this.options.actAs ?? this.resolve();
  }

  /**
   * @param path path and query below Nextcloud's base URL, every segment encoded once
   * @returns whatever Nextcloud answered, whatever its status
   * @throws AppError with the gateway's code where the gateway refused; GATEWAY.AWAY
   */
  async request(method: string, path: string, request: NextcloudRequest = {}): Promise<NextcloudResponse> {
    const { mode, profile, uid } = await this.identity();
    return this.send(method, nextcloudPath(this.options.instance, path), request.body, {
      ...request.headers,
      [GATEWAY_HEADERS.mode]: mode,
      ...(profile === null ? {} : { [GATEWAY_HEADERS.profile]: profile }),
      [GATEWAY_HEADERS.uid]: encodeURIComponent(uid),
    });
  }

  /**
   * As `request`, for what changes something; `what` names it.
   * @throws OutcomeUnknown where it was sent and no answer came
   */
  async write(
    method: string,
    path: string,
    request: NextcloudRequest,
    what: string,
  ): Promise<NextcloudResponse> {
    // What fails here has sent nothing.
    await this.identity();
    try {
      return await this.request(method, path, request);
    } catch (error) {
      throw mayBeDone(error) ? outcomeUnknown(what, error) : error;
    }
  }

  private async askIdentity(): Promise<ResolvedIdentity> {
    const question: ResolveRequest = { v: 1, tool: this.options.tool };
    const response = await this.send('POST', RESOLVE_PATH, JSON.stringify(question), {
      'content-type': 'application/json',
    });
    const text = await response.text(MAX_IDENTITY_BYTES);
    try {
      return ResolvedIdentity.parse(JSON.parse(text));
    } catch (cause) {
      throw invalidGatewayAnswer(cause);
    }
  }

  private async send(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<NextcloudResponse> {
    const url = new URL(this.origin + path);
    const token = await this.serviceToken(method, url);
    const response = await this.fetch(url, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...headers,
        // A compressed answer would change what ranges and lengths mean.
        'accept-encoding': 'identity',
        [GATEWAY_HEADERS.serviceToken]: `Bearer ${token}`,
        [GATEWAY_HEADERS.attestation]: this.options.attestation,
        [GATEWAY_HEADERS.tool]: this.options.tool,
      },
    });
    if (response.header(GATEWAY_ERROR_HEADER) !== null) throw await gatewayRefusal(response);
    return response;
  }

  private async fetch(url: URL, init: RequestInit): Promise<NextcloudResponse> {
    const { signal } = this.options;
    try {
      return new NextcloudResponse(await fetch(url, { ...init, redirect: 'manual', signal }), signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw gatewayAway(cause);
    }
  }

  /** Good for one request: bound to its method and path, with an id of its own. */
  private serviceToken(method: string, url: URL): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    return this.options.signer.sign(SERVICE_TOKEN_TYPE, {
      aud: GATEWAY_AUDIENCE,
      method,
      path: url.pathname + url.search,
      jti: randomUUID(),
      iat,
      exp: iat + SERVICE_TOKEN_TTL_S,
    });
  }
}
