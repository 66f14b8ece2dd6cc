import { isAtLeast } from '../world/world';
import { sizeOf } from '../world/file-tree';
import type { User, World } from '../world/world';
import { capabilitiesOf } from './capabilities';
import { actingUser, OcsFailure } from './ocs-call';
import type { OcsRouter } from './ocs-call';

/** Free space of a server without quotas; any number will do. */
const DISK_FREE = 78_465_851_392;

export function addCloudRoutes(router: OcsRouter): void {
  router.on('GET', '/cloud/capabilities', {
    access: 'public',
    csrfExempt: true,
    handle: ({ emulation, exchange }) => ({
      status: 200,
      data: capabilitiesOf(emulation.world, exchange.identity.kind === 'user'),
    }),
  });
  router.on('GET', '/cloud/user', {
    handle: (call) => ({ status: 200, data: userData(call.emulation.world, actingUser(call)) }),
  });
  router.on('GET', '/cloud/users/{id}', {
    handle: (call) => {
      const { world } = call.emulation;
      const uid = actingUser(call);
      const wanted = call.path['id'] ?? '';
      if (!world.users.has(wanted)) throw new OcsFailure(404, 'User does not exist');
      // So an ordinary user learns that the account exists, and nothing else.
      const allowed = wanted === uid || world.users.get(uid)?.groups.includes('admin');
      if (!allowed) throw new OcsFailure(404, '', [], 998);
      return { status: 200, data: userData(world, wanted) };
    },
  });
}

function userData(world: World, uid: string) {
  const user = world.users.get(uid);
  if (!user) throw new OcsFailure(404, 'User does not exist');
  return {
    storageLocation: `/var/www/nextcloud/data/${uid}`,
    id: uid,
    lastLogin: 0,
    backend: 'Database',
    subadmin: [],
    quota: quotaOf(world, uid),
    email: user.email,
    additional_mail: [],
    phone: '',
    address: '',
    website: '',
    twitter: '',
    organisation: '',
    role: '',
    headline: '',
    biography: '',
    profile_enabled: '1',
    groups: user.groups,
    language: user.language,
    locale: '',
    ...versionedFields(world, user),
    notify_email: null,
    backendCapabilities: { setDisplayName: true, setPassword: true },
    'display-name': user.displayName,
  };
}

/** Newer servers have both spellings of the name, and the zone; which release brought the zone is not known for sure. */
function versionedFields(world: World, user: User) {
  return {
    ...(isAtLeast(world.versions, 28) && { displayname: user.displayName, manager: '' }),
    ...(isAtLeast(world.versions, 31) && {
      timezone: user.timezone,
      firstLoginTimestamp: 0,
      lastLoginTimestamp: 0,
    }),
  };
}

function quotaOf(world: World, uid: string) {
  const root = world.files.get(uid);
  const used = root ? sizeOf(root) : 0;
  const quota = world.quotas.get(uid) ?? -3;
  const free = quota < 0 ? DISK_FREE : Math.max(0, quota - used);
  const total = free + used;
  return { free, used, total, relative: total === 0 ? 0 : Math.round((used / total) * 10_000) / 100, quota };
}
