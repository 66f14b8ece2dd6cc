import { SHARING_CAPABILITIES } from '../sharing/sharing-capabilities';
import type { World } from '../world/world';
import { isAtLeast, majorOf } from '../world/world';

/** Longest message in characters. */
export const MAX_MESSAGE_LENGTH = 32_000;

/** Talk's feature flags by the major number that brought them, as far as a client of bots and chat asks for them. */
const TALK_FEATURES: readonly (readonly [major: number, features: readonly string[]])[] = [
  [
    0,
    [
      'audio',
      'video',
      'chat-v2',
      'conversation-v4',
      'guest-signaling',
      'mention-flag',
      'in-call-flags',
      'chat-read-marker',
      'chat-reference-id',
      'chat-replies',
      'system-messages',
      'rich-object-sharing',
      'rich-object-delete',
      'reactions',
      'delete-messages',
      'chat-get-context',
      'silent-send',
      'message-expiration',
    ],
  ],
  [17, ['bots-v1', 'markdown-messages', 'single-conversation-status']],
  [18, ['note-to-self', 'media-caption']],
  [19, ['edit-messages', 'delete-messages-unlimited']],
  [22, ['threads']],
  [25, ['bot-features-api']],
];

/** `/cloud/capabilities`; without a login only the public part. */
export function capabilitiesOf(world: World, loggedIn: boolean) {
  const { nextcloud, apps } = world.versions;
  const [major = 0, minor = 0, micro = 0] = nextcloud.split('.').map(Number);
  return {
    version: { major, minor, micro, string: nextcloud, edition: '', extendedSupport: false },
    capabilities: {
      bruteforce: { delay: 0 },
      theming: { name: 'Nextcloud', url: 'https://nextcloud.com', slogan: 'Emulated', color: '#0082c9' },
      ...(loggedIn && coreCapabilities(world)),
      ...(apps.has('spreed') && { spreed: spreedCapabilities(world) }),
      ...(apps.has('app_api') && { app_api: { version: nextcloud, ...(loggedIn && { loglevel: 1 }) } }),
      ...(loggedIn &&
        apps.has('deck') && {
          deck: { version: '1.16.0', canCreateBoards: true, apiVersions: ['1.0', '1.1'] },
        }),
    },
  };
}

function coreCapabilities(world: World) {
  const { apps } = world.versions;
  return {
    core: { pollinterval: 60, 'webdav-root': 'remote.php/webdav' },
    files: {
      bigfilechunking: true,
      blacklisted_files: ['.htaccess'],
      comments: true,
      ...(apps.has('files_trashbin') && { undelete: true }),
      ...(apps.has('files_versions') && { versioning: true }),
      ...(apps.has('files_lock') && { locking: '1.0' }),
      ...(isAtLeast(world.versions, 30) && {
        forbidden_filenames: ['.htaccess'],
        forbidden_filename_basenames: [],
        forbidden_filename_characters: ['/', '\\'],
        forbidden_filename_extensions: ['.part', '.filepart'],
      }),
    },
    dav: { chunking: '1.0' },
    files_sharing: SHARING_CAPABILITIES,
  };
}

function spreedCapabilities(world: World) {
  const major = majorOf(world.versions.talk);
  return {
    features: TALK_FEATURES.flatMap(([since, features]) => (major >= since ? features : [])),
    'features-local': ['favorites', 'chat-read-status', 'note-to-self', 'bots-v1'],
    config: {
      attachments: { allowed: true, folder: '/Talk' },
      chat: { 'max-length': MAX_MESSAGE_LENGTH, 'read-privacy': 0, 'has-translation-providers': false },
      conversations: { 'can-create': true },
      federation: {
        enabled: false,
        'incoming-enabled': false,
        'outgoing-enabled': false,
        'only-trusted-servers': true,
      },
    },
    'config-local': { attachments: ['allowed', 'folder'], chat: ['read-privacy'] },
    version: world.versions.talk,
  };
}
