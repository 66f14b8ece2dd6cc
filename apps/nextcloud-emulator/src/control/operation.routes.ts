import { z } from 'zod';
import type { Emulation } from '../emulation';
import { Fault } from '../http/fault-plan';
import type { Router } from '../http/router';
import { replay } from '../talk/deliver-webhook';
import { buildWorld, versionsOf } from '../world/build-world';
import { InvalidFixture, parseFixture } from '../world/fixture';
import type { Fixture } from '../world/fixture';
import { afterOf, ControlFailure, jsonReply, readControlBody } from './control-call';
import type { ControlCall, ControlHandler } from './control-call';

const versionNumber = z.string().regex(/^\d+\.\d+\.\d+$/, 'write a version as three numbers, e.g. "32.0.1"');
const Versions = z.strictObject({
  nextcloud: versionNumber.optional(),
  talk: versionNumber.optional(),
  apps: z.array(z.string().min(1)).optional(),
});
const Reset = z.strictObject({ fixture: z.unknown().optional() });

/** Journals, faults, versions and the reset. `initial` is the world of a reset without a fixture. */
export function addOperationRoutes(router: Router<ControlHandler>, initial: Fixture): void {
  router.on('GET', '/_emulator/requests', (call) =>
    jsonReply({ requests: call.emulation.requests.after(afterOf(call)) }),
  );
  router.on('GET', '/_emulator/webhooks', (call) =>
    jsonReply({ webhooks: call.emulation.webhooks.after(afterOf(call)) }),
  );
  router.on('POST', '/_emulator/webhooks/{n}/replay', replayWebhook);
  // Nothing in the emulator sends mail yet, so none has left.
  router.on('GET', '/_emulator/mail', () => jsonReply({ mail: [] }));
  router.on('POST', '/_emulator/faults', async (call) => {
    call.emulation.faults.add(await readControlBody(call, Fault));
    return jsonReply({}, 201);
  });
  router.on('DELETE', '/_emulator/faults', (call) => {
    call.emulation.faults.clear();
    return jsonReply({});
  });
  router.on('POST', '/_emulator/reset', (call) => resetRoute(call, initial));
  router.on('PUT', '/_emulator/version', changeVersion);
}

async function replayWebhook(call: ControlCall) {
  const original = call.emulation.webhooks.get(Number(call.path['n']));
  if (!original) throw new ControlFailure(404, `There is no webhook ${call.path['n']}`);
  const { n, status, ms } = await replay(call.emulation, original);
  return jsonReply({ n, status, ms });
}

async function resetRoute(call: ControlCall, initial: Fixture) {
  const { fixture } = await readControlBody(call, Reset);
  try {
    resetWorld(call.emulation, fixture === undefined ? initial : parseFixture(fixture));
  } catch (error) {
    if (error instanceof InvalidFixture) throw new ControlFailure(400, error.message);
    throw error;
  }
  return jsonReply({});
}

/** A known world, and nothing left of what was written down about the old one. */
export function resetWorld(emulation: Emulation, fixture: Fixture): void {
  emulation.world = buildWorld(fixture, emulation.now());
  emulation.requests.clear();
  emulation.webhooks.clear();
  emulation.faults.clear();
  emulation.botFailures.clear();
}

/** What is not named stays; Talk follows Nextcloud unless it is named. */
async function changeVersion(call: ControlCall) {
  const change = await readControlBody(call, Versions);
  const { world } = call.emulation;
  const { nextcloud, talk } = world.versions;
  const followed = versionsOf(change.nextcloud ?? nextcloud, change.apps ?? world.versions.apps);
  world.versions = {
    ...followed,
    talk: change.talk ?? (change.nextcloud === undefined ? talk : followed.talk),
  };
  return jsonReply({
    nextcloud: world.versions.nextcloud,
    talk: world.versions.talk,
    apps: [...world.versions.apps],
  });
}
