import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { Router } from '../http/router';
import type { Fixture } from '../world/fixture';
import { addAppApiControl } from './appapi.routes';
import { ControlFailure, jsonReply } from './control-call';
import type { ControlHandler } from './control-call';
import { addOperationRoutes } from './operation.routes';
import { addPageRoutes } from '../page/page.routes';
import { addRoomRoutes } from './room.routes';

/** Everything that is not "Nextcloud": the control API and the chat page. */
export function createOperator(
  emulation: Emulation,
  initial: Fixture,
): (exchange: Exchange) => Promise<Reply> {
  const router = new Router<ControlHandler>();
  addPageRoutes(router);
  addRoomRoutes(router);
  addOperationRoutes(router, initial);
  addAppApiControl(router);
  return async (exchange) => {
    const match = router.match(exchange.method, exchange.path);
    if (!match) {
      const error = `The emulator has no ${exchange.method} ${exchange.path}; its README lists what there is`;
      return jsonReply({ error }, 501);
    }
    try {
      return await match.handler({ emulation, exchange, path: match.parameters });
    } catch (error) {
      if (error instanceof ControlFailure) return jsonReply({ error: error.message }, error.status);
      throw error;
    }
  };
}
