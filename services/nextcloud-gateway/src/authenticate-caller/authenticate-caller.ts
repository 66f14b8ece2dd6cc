import type { IncomingHttpHeaders } from 'node:http';
import {
  CORE_PROVIDERS,
  GATEWAY_AUDIENCE,
  GATEWAY_REFUSALS,
  GATEWAY_HEADERS,
  SERVICE_TOKEN_TYPE,
  ServiceTokenClaims,
} from '@nuqloud/contracts';
import type { CoreToolService } from '@nuqloud/contracts';
import type { TokenVerifier } from '@nuqloud/platform';
import { InvalidToken } from '@nuqloud/platform';
import { z } from 'zod';
import type { FamilyName } from '../domain/families';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { hasProperLifetime, isForThisRequest } from '../domain/service-token';
import type { ReplayGuard } from '../ports/replay-guard';

/** An HTTP request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Which of our tool services asks. */
export interface Caller {
  readonly service: CoreToolService;
  readonly family: FamilyName;
}

const ToolService = z.enum(Object.keys(CORE_PROVIDERS) as [CoreToolService, ...CoreToolService[]]);
const UnverifiedClaims = z.object({ iss: ToolService });

/** Finds out which of our tool services asks; each token is good for one request. */
export class AuthenticateCaller {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly replays: ReplayGuard,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws GatewayRefusal UNAUTHENTICATED_SERVICE, TOKEN_REPLAYED */
  async authenticate(request: ReceivedRequest): Promise<Caller> {
    const token = bearerToken(request.headers);
    const service = claimedService(token);
    const claims = await this.verify(token, service);
    if (!isForThisRequest(claims, request)) throw unauthenticated('it was made for another request');
    if (!hasProperLifetime(claims, this.now())) throw unauthenticated('its lifetime is not the agreed one');
    if (!(await this.replays.isFirstUse({ issuer: service, id: claims.jti }, claims.exp))) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.TOKEN_REPLAYED,
        'The service token was used before; every request needs a new one.',
      );
    }
    return { service, family: CORE_PROVIDERS[service] };
  }

  private async verify(token: string, service: CoreToolService): Promise<ServiceTokenClaims> {
    try {
      return await this.tokens.verify(token, {
        type: SERVICE_TOKEN_TYPE,
        issuer: service,
        audience: GATEWAY_AUDIENCE,
        claims: ServiceTokenClaims,
      });
    } catch (error) {
      if (error instanceof InvalidToken) throw unauthenticated(error.message);
      throw error;
    }
  }
}

const bearerToken = (headers: IncomingHttpHeaders): string => {
  const [, token] =
    /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(headers[GATEWAY_HEADERS.serviceToken] ?? '') ?? [];
  if (!token) throw unauthenticated('there is none');
  return token;
};

/** Whose key the token is to be checked with; until then the name proves nothing. */
const claimedService = (token: string): CoreToolService => {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return UnverifiedClaims.parse(JSON.parse(payload)).iss;
  } catch {
    // What was wrong with it is of no use to an honest caller.
    throw unauthenticated('it names no tool service');
  }
};

const unauthenticated = (reason: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.UNAUTHENTICATED_SERVICE,
    `The gateway needs a valid service token: ${reason}.`,
  );
