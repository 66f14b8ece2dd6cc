import { clark, NEXTCLOUD } from './dav-names';
import type { Property } from './file-properties';

/** `nc:lock` is there with the app "files_lock", empty where nothing is locked; the rest only on what is. */
const whenLocked =
  (value: (editor: string) => string): Property =>
  ({ world, entry }) => {
    const editor = world.versions.apps.has('files_lock') ? world.locks.get(entry.node.id) : undefined;
    return editor === undefined ? undefined : value(editor);
  };

/** Type 1 is the lock of an app that has the file open; 0 seconds are no time-out. */
export const LOCK_PROPERTIES: readonly (readonly [string, Property])[] = [
  [
    clark(NEXTCLOUD, 'lock'),
    (subject) =>
      subject.world.versions.apps.has('files_lock') ? (whenLocked(() => '1')(subject) ?? '') : undefined,
  ],
  [clark(NEXTCLOUD, 'lock-owner-type'), whenLocked(() => '1')],
  [clark(NEXTCLOUD, 'lock-owner-editor'), whenLocked((editor) => editor)],
  [clark(NEXTCLOUD, 'lock-owner-displayname'), whenLocked((editor) => editor)],
  [clark(NEXTCLOUD, 'lock-timeout'), whenLocked(() => '0')],
];
