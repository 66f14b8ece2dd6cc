import { OcsFailure } from '../ocs/ocs-call';
import type { OcsRouter } from '../ocs/ocs-call';

/** AppAPI's own calls: the login is checked as the real ones do, the rest of the life cycle is not built yet. */
export function addAppApiRoutes(router: OcsRouter): void {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    router.on(method, '/apps/app_api/{rest...}', {
      access: 'exapp',
      csrfExempt: true,
      handle: (call) => {
        throw new OcsFailure(501, `The emulator does not answer AppAPI's "${call.path['rest']}" yet`);
      },
    });
  }
}
