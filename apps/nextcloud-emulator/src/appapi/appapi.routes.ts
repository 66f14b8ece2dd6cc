import { numberParameter, OcsFailure, textParameter } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import type { ExApp } from '../world/world';
import { reportProgress } from './life-cycle';
import { registerTalkBot, registrationId, unregisterTalkBot } from './talk-bots';
import { proxyToTalkBot } from './talk-proxy';

const APP_API = '/apps/app_api';
const TALK_BOT = `${APP_API}/api/v1/talk_bot`;

/** AppAPI's own calls: the app's state and progress, its Talk bot, and the way of Talk's messages to it. */
export function addAppApiRoutes(router: OcsRouter): void {
  const access = { access: 'exapp', csrfExempt: true } as const;
  router.on('GET', `${APP_API}/ex-app/state`, { ...access, handle: tellState });
  router.on('PUT', `${APP_API}/ex-app/status`, { ...access, handle: takeStatus });
  router.on('POST', TALK_BOT, { ...access, handle: register });
  router.on('DELETE', TALK_BOT, { ...access, handle: unregister });
  router.on('POST', `${APP_API}/api/v1/talk_proxy/{appId}/{route...}`, {
    access: 'public',
    csrfExempt: true,
    handle: proxyToTalkBot,
  });
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    router.on(method, `${APP_API}/{rest...}`, {
      ...access,
      handle: (call) => {
        throw new OcsFailure(501, `The emulator does not answer AppAPI's "${call.path['rest']}" yet`);
      },
    });
  }
}

/** Whoever got through AppAPI's login is the app that is installed. */
function callerOf({ emulation }: OcsCall): ExApp {
  const { exApp } = emulation.world;
  if (!exApp) throw new OcsFailure(401, 'AppAPI authentication failed');
  return exApp;
}

function tellState(call: OcsCall) {
  return { status: 200, data: callerOf(call).enabled ? 1 : 0 };
}

async function takeStatus(call: OcsCall) {
  const progress = numberParameter(call, 'progress', -1);
  if (progress < 0 || progress > 100) throw new OcsFailure(400, 'Progress must be from 0 to 100');
  await reportProgress(call.emulation, callerOf(call), progress, textParameter(call, 'error'));
  return { status: 200, data: null };
}

function register(call: OcsCall) {
  const { world, publicUrl } = call.emulation;
  const exApp = callerOf(call);
  const [name, route, description] = ['name', 'route', 'description'].map((field) =>
    textParameter(call, field),
  );
  if (!world.versions.apps.has('spreed')) throw new OcsFailure(400, 'Talk is not available');
  if (!name || !route) throw new OcsFailure(400, 'A Talk bot needs a name and a route');
  const bot = registerTalkBot(world, exApp, publicUrl, { name, route, description: description ?? '' });
  return { status: 200, data: { id: registrationId(exApp, route), secret: bot.secret } };
}

function unregister(call: OcsCall) {
  const removed = unregisterTalkBot(call.emulation.world, callerOf(call), textParameter(call, 'route'));
  if (!removed) throw new OcsFailure(404, 'There is no such Talk bot');
  return { status: 200, data: [] };
}
