import type { InstalledVersions } from '../world/world';

/** First parts of OCS paths that a real server answers and the emulator does not, or not wholly. */
const CORE_APIS = [
  'cloud',
  'core',
  'config',
  'collaboration',
  'hovercard',
  'identityproof',
  'privatedata',
  'references',
  'search',
  'taskprocessing',
  'translation',
  'textprocessing',
];

/** Apps that every server has. */
const BUNDLED_APPS = [
  'dav',
  'files',
  'files_sharing',
  'files_versions',
  'files_trashbin',
  'notifications',
  'provisioning_api',
  'theming',
  'updatenotification',
  'user_status',
  'weather_status',
  'webhook_listeners',
  'circles',
  'files_lock',
];

/** Whether a real server with these apps would have something below this path. */
export function isKnownApi(versions: InstalledVersions, path: string): boolean {
  const [, first = '', app = ''] = path.split('/');
  if (first !== 'apps') return CORE_APIS.includes(first);
  return BUNDLED_APPS.includes(app) || versions.apps.has(app);
}
