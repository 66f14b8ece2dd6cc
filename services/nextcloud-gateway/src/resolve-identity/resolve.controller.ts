import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { GATEWAY_REFUSALS, ResolveRequest } from '@nuqloud/contracts';
import type { ResolvedIdentity } from '@nuqloud/contracts';
import type { FastifyRequest } from 'fastify';
import { AuthenticateCaller } from '../authenticate-caller/authenticate-caller';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { KnownPeople } from '../identify-person/known-people';
import { ResolveIdentity } from './resolve-identity';
import { readToolUse } from './tool-headers';

/** `POST /resolve`: a tool service asks as whom its tool would act, before it plans anything. */
@Controller()
export class ResolveController {
  constructor(
    private readonly caller: AuthenticateCaller,
    private readonly identities: ResolveIdentity,
    private readonly people: KnownPeople,
  ) {}

  @Post('resolve')
  @HttpCode(200)
  async resolve(@Req() { raw }: FastifyRequest, @Body() body: unknown): Promise<ResolvedIdentity> {
    const { method = '', url = '', headers } = raw;
    const { family } = await this.caller.authenticate({ method, url, headers });
    const use = readToolUse(headers);
    const asked = ResolveRequest.safeParse(body);
    if (!asked.success || asked.data.tool !== use.tool) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.INVALID_REQUEST,
        'The body must be { v: 1, tool } with the same tool as the header.',
      );
    }
    const { instance, mode, profile, uid } = await this.identities.resolve({ family, ...use });
    await this.people.confirm(instance, uid);
    return { v: 1, mode, profile, uid };
  }
}
