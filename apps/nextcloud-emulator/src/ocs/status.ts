import type { Reply } from '../http/exchange';
import { phpJson } from '../http/php-json';
import type { World } from '../world/world';

/** `/status.php`: needs no login. */
export function answerStatus(world: World): Reply {
  const versionstring = world.versions.nextcloud;
  const body = {
    installed: true,
    maintenance: false,
    needsDbUpgrade: false,
    version: `${versionstring}.1`,
    versionstring,
    edition: '',
    productname: 'Nextcloud',
    extendedSupport: false,
  };
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: phpJson(body) };
}
