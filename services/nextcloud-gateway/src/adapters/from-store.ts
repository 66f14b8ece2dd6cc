import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { GatewayRefusal } from '../domain/gateway-refusal';

/** Words a failed query for callers. @throws GatewayRefusal STORE_UNAVAILABLE */
export const fromStore = async <T>(query: PromiseLike<T>): Promise<T> => {
  try {
    return await query;
  } catch (cause) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.STORE_UNAVAILABLE,
      'The gateway cannot read its database at the moment; nothing was done.',
      { cause },
    );
  }
};
