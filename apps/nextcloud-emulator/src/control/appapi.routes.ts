import { z } from 'zod';
import { disable, enable, install, uninstall } from '../appapi/life-cycle';
import { renewTalkBotSecrets } from '../appapi/talk-bots';
import type { Router } from '../http/router';
import type { ExApp, World } from '../world/world';
import { ControlFailure, jsonReply, readControlBody } from './control-call';
import type { ControlCall, ControlHandler } from './control-call';

const Install = z.strictObject({
  id: z.string().min(1).default('nuqloud_ai'),
  secret: z.string().min(1),
  version: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  heartbeats: z.int().min(1).default(600),
  initMs: z
    .int()
    .min(1)
    .default(40 * 60_000),
});

/** What an administrator does with the external app; each call answers when Nextcloud is done with it. */
export function addAppApiControl(router: Router<ControlHandler>): void {
  router.on('GET', '/_emulator/appapi', ({ emulation: { world } }) => jsonReply(stateOf(world)));
  router.on('POST', '/_emulator/appapi/install', installApp);
  router.on('POST', '/_emulator/appapi/enable', async (call) => {
    await enable(call.emulation, installed(call));
    return jsonReply(stateOf(call.emulation.world));
  });
  router.on('POST', '/_emulator/appapi/disable', async (call) => {
    await disable(call.emulation, installed(call));
    return jsonReply(stateOf(call.emulation.world));
  });
  router.on('DELETE', '/_emulator/appapi', async (call) => {
    await uninstall(call.emulation, installed(call));
    return jsonReply(stateOf(call.emulation.world));
  });
  router.on('POST', '/_emulator/appapi/new-bot-secrets', (call) => {
    renewTalkBotSecrets(call.emulation.world, installed(call));
    return jsonReply({});
  });
}

async function installApp(call: ControlCall) {
  const { heartbeats, initMs, ...app } = await readControlBody(call, Install);
  if (call.emulation.world.exApp)
    throw new ControlFailure(409, `The app "${call.emulation.world.exApp.id}" is installed; DELETE it first`);
  await install(call.emulation, app, { heartbeats, initMs });
  return jsonReply(stateOf(call.emulation.world), 201);
}

function installed({ emulation }: ControlCall): ExApp {
  if (emulation.world.exApp) return emulation.world.exApp;
  throw new ControlFailure(404, 'No external app is installed; POST appapi/install does it');
}

function stateOf({ exApp, bots }: World) {
  if (!exApp) return { installed: false };
  const { id, version, url, enabled, progress, error, talkBots } = exApp;
  const registered = [...talkBots].map(([route, botId]) => {
    const bot = bots.find((one) => one.id === botId);
    return { route, botId, name: bot?.name, description: bot?.description };
  });
  return { installed: true, id, version, url, enabled, progress, error, talkBots: registered };
}
