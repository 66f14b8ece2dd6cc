import { setTimeout as delay } from 'node:timers/promises';
import type { Emulation } from '../emulation';
import type { ExApp } from '../world/world';
import { isAtLeast } from '../world/world';
import { callExApp, exAppHeaders } from './call-ex-app';
import { unregisterAllTalkBots } from './talk-bots';

/** AppAPI asks so often, at most 600 times. */
const HEARTBEAT_EVERY_MS = 1_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;
const INIT_TIMEOUT_MS = 3_000;
const ENABLED_TIMEOUT_MS = 60_000;
const WATCH_EVERY_MS = 20;
const FROM_33 = 33;

export interface AppToInstall {
  readonly id: string;
  readonly secret: string;
  readonly version: string;
  readonly url: string;
}

export interface InstallPatience {
  readonly heartbeats: number;
  /** From the app's answer to `/init` to its 100 percent, AppAPI's `init_timeout`. */
  readonly initMs: number;
}

/**
 * `occ app_api:app:register --wait-finish` with the daemon manual-install: heartbeat, `/init`, progress, `/enabled`.
 * What goes wrong stands in the app's `error`; a failed app stays, disabled.
 */
export async function install(
  emulation: Emulation,
  app: AppToInstall,
  patience: InstallPatience,
): Promise<ExApp> {
  const exApp: ExApp = { ...app, enabled: false, progress: 0, error: '', talkBots: new Map() };
  emulation.world.exApp = exApp;
  if (!(await hasHeartbeat(emulation, exApp, patience.heartbeats))) {
    exApp.error = 'Heartbeat check failed';
    return exApp;
  }
  // Before AppAPI 33 an app could make no calls of its own during its init but to report its progress.
  if (isAtLeast(emulation.world.versions, FROM_33)) exApp.enabled = true;
  const status = await init(emulation, exApp);
  if (status === 404 || status === 501) await reportProgress(emulation, exApp, 100, '');
  else if (status !== 200) exApp.error = `Init failed: ${status ?? 'no answer'}`;
  else await initEnds(exApp, patience.initMs);
  if (exApp.error !== '') exApp.enabled = false;
  return exApp;
}

/** What the app says of its init. At 100 AppAPI goes on within that very request. */
export async function reportProgress(
  emulation: Emulation,
  exApp: ExApp,
  progress: number,
  error: string,
): Promise<void> {
  if (error !== '') {
    exApp.error = error;
    return;
  }
  if (progress === 100) {
    if (await hasHeartbeat(emulation, exApp, 1)) await enable(emulation, exApp);
    else exApp.error = 'Heartbeat check failed';
  }
  exApp.progress = progress;
}

/** Marks the app enabled and tells it so; an app that answers with an error, or not, is disabled again. */
export async function enable(emulation: Emulation, exApp: ExApp): Promise<void> {
  exApp.enabled = true;
  exApp.error = await tell(emulation, exApp, 1);
  if (exApp.error !== '') exApp.enabled = false;
}

/** The app is still enabled while it is told; whatever it answers, it is disabled then. */
export async function disable(emulation: Emulation, exApp: ExApp): Promise<void> {
  exApp.error = await tell(emulation, exApp, 0);
  exApp.enabled = false;
}

/** There is no call for it: the app hears that it is disabled, and its Talk bots are removed. */
export async function uninstall(emulation: Emulation, exApp: ExApp): Promise<void> {
  if (exApp.enabled) await disable(emulation, exApp);
  unregisterAllTalkBots(emulation.world, exApp);
  emulation.world.exApp = null;
}

async function hasHeartbeat(emulation: Emulation, exApp: ExApp, tries: number): Promise<boolean> {
  for (let left = tries; left > 0; left -= 1) {
    if (await isAlive(emulation, exApp)) return true;
    if (left > 1) await delay(HEARTBEAT_EVERY_MS, undefined, { ref: false });
  }
  return false;
}

async function isAlive(emulation: Emulation, exApp: ExApp): Promise<boolean> {
  try {
    const call = { method: 'GET', path: '/heartbeat', timeoutMs: HEARTBEAT_TIMEOUT_MS } as const;
    const { status, body } = await callExApp(emulation, exApp, call);
    return status === 200 && (JSON.parse(body) as { status?: unknown }).status === 'ok';
  } catch {
    return false; // not there yet: that is what is being asked
  }
}

/** Null: no answer. */
async function init(emulation: Emulation, exApp: ExApp): Promise<number | null> {
  try {
    const call = { method: 'POST', path: '/init', timeoutMs: INIT_TIMEOUT_MS } as const;
    return (await callExApp(emulation, exApp, call, exAppHeaders(emulation, exApp))).status;
  } catch {
    return null;
  }
}

async function initEnds(exApp: ExApp, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (exApp.progress < 100 && exApp.error === '') {
    if (Date.now() > deadline) exApp.error = 'Init timed out';
    else await delay(WATCH_EVERY_MS, undefined, { ref: false });
  }
}

/** @returns the error that the app answers, empty for none; AppAPI does not look at the status */
async function tell(emulation: Emulation, exApp: ExApp, enabled: 0 | 1): Promise<string> {
  try {
    const path = `/enabled?enabled=${enabled}`;
    const call = { method: 'PUT', path, timeoutMs: ENABLED_TIMEOUT_MS } as const;
    const { body } = await callExApp(emulation, exApp, call, exAppHeaders(emulation, exApp));
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch (cause) {
    return `No usable answer to /enabled: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
