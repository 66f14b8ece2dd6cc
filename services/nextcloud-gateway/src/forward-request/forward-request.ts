import type { Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AuditedWrites } from '../audit-write/audited-writes';
import type { AuthenticateCaller, ReceivedRequest } from '../authenticate-caller/authenticate-caller';
import { FAMILIES } from '../domain/families';
import type { FamilyName } from '../domain/families';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Instance } from '../domain/instance';
import { isWrite } from '../domain/is-write';
import { matchRequest } from '../domain/match-request';
import { readDestination } from '../domain/read-destination';
import type { KnownPeople } from '../identify-person/known-people';
import type { Nextcloud, NextcloudAnswer, NextcloudRequest } from '../ports/nextcloud';
import type { ActingIdentity, ResolveIdentity } from '../resolve-identity/resolve-identity';
import { readToolUse, requireSameIdentity } from '../resolve-identity/tool-headers';
import { parseTarget } from './forward-target';
import { toNextcloud } from './nextcloud-request';
import type { DecidedRequest } from './nextcloud-request';

export interface ReceivedForward extends ReceivedRequest {
  readonly body: Readable;
  /** Aborted when the caller has gone away. */
  readonly signal: AbortSignal;
}

/** What the log tells of a request: ids and names; of the path only which kind it is. */
export interface ForwardNote {
  family?: FamilyName;
  instance?: string;
  tool?: string;
  bot?: string;
  messageId?: string;
  path?: string;
}

interface Decision extends DecidedRequest {
  readonly identity: ActingIdentity;
  readonly tool: string;
}

/** Carries out one request of a tool service as the person who wrote to the bot, or refuses it. */
export class ForwardRequest {
  constructor(
    private readonly caller: AuthenticateCaller,
    private readonly identities: ResolveIdentity,
    private readonly people: KnownPeople,
    private readonly nextcloud: Nextcloud,
    private readonly writes: AuditedWrites,
  ) {}

  /**
   * @param note filled with what is known so far, also when the request is refused
   * @throws GatewayRefusal
   */
  async forward(received: ReceivedForward, note: ForwardNote): Promise<NextcloudAnswer> {
    const { family, service } = await this.caller.authenticate(received);
    note.family = family;
    const decision = await this.decide(received, family, note);
    const { instance, uid } = decision.identity;
    const request = await toNextcloud(received, decision);
    await this.people.confirm(instance, uid);
    const send = () => this.send(instance, uid, request);
    if (!isWrite(request.method)) return send();
    const { identity, tool, destination, target } = decision;
    const { method } = request;
    return this.writes.carryOut(
      { identity, caller: service, tool, method, path: target.path, destination },
      send,
    );
  }

  private async send(instance: Instance, uid: string, request: NextcloudRequest): Promise<NextcloudAnswer> {
    try {
      return await this.nextcloud.send(instance, uid, request);
    } catch (error) {
      if (error instanceof GatewayRefusal && error.code === GATEWAY_REFUSALS.CREDENTIALS_REFUSED) {
        this.people.refused(instance, uid, error);
      }
      throw error;
    }
  }

  private async decide(
    { method, url, headers }: ReceivedForward,
    family: FamilyName,
    note: ForwardNote,
  ): Promise<Decision> {
    const target = parseTarget(url);
    note.instance = target.instance;
    const use = readToolUse(headers);
    note.tool = use.tool;
    const identity = await this.identities.resolve({ family, instance: target.instance, ...use });
    note.bot = identity.attested.bot;
    note.messageId = identity.attested.message;
    requireSameIdentity(headers, identity);
    const { uid, instance } = identity;
    const allowed = matchRequest(FAMILIES[family].requests, { method, tool: use.tool, ...target }, uid);
    note.path = allowed.path;
    const leadsTo = allowed.destination;
    const destination =
      leadsTo === undefined
        ? undefined
        : readDestination(one(headers['destination']), leadsTo, instance.baseUrl, uid);
    return { identity, tool: use.tool, target, allowed, destination };
  }
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
