import { element, text } from '../http/xml-writer';
import { sharesShownAt } from '../sharing/select-shares';
import { shareeName } from '../sharing/sharee-name';
import { isMountRoot } from '../world/mounted-files';
import { SHARE_TYPES } from '../world/world';
import type { Share } from '../world/world';
import { clark, NEXTCLOUD, OWNCLOUD } from './dav-names';
import type { Property, Subject } from './file-properties';

const inGroupFolder =
  (value: (id: number, mount: string) => string): Property =>
  ({ entry }) =>
    entry.mount?.groupFolder ? value(entry.mount.groupFolder.id, entry.mount.path) : undefined;

/** Who else has it, and how it came into these files. */
export const SHARE_PROPERTIES: readonly (readonly [string, Property])[] = [
  [
    clark(OWNCLOUD, 'share-types'),
    (subject) =>
      [...new Set(sharesAt(subject).map(({ type }) => SHARE_TYPES[type]))].map((number) =>
        element('oc:share-type', {}, [text(String(number))]),
      ),
  ],
  [clark(NEXTCLOUD, 'sharees'), (subject) => sharesAt(subject).map((share) => shareeElement(subject, share))],
  [clark(NEXTCLOUD, 'share-attributes'), () => '[]'],
  [clark(NEXTCLOUD, 'note'), () => ''],
  [
    clark(NEXTCLOUD, 'mount-type'),
    ({ entry: { mount } }) => (mount ? (mount.groupFolder ? 'group' : 'shared') : ''),
  ],
  [clark(NEXTCLOUD, 'group-folder-id'), inGroupFolder((id) => String(id))],
  [
    clark(NEXTCLOUD, 'mount-point'),
    (subject) => inGroupFolder((_, mount) => `/${subject.uid}/files${mount}/`)(subject),
  ],
];

function sharesAt({ world, uid, entry }: Subject): Share[] {
  return sharesShownAt(world, uid, entry.node, isMountRoot(entry) ? (entry.mount?.shares ?? []) : []);
}

function shareeElement({ world }: Subject, share: Share) {
  return element('nc:sharee', {}, [
    element('nc:id', {}, share.with === '' ? [] : [text(share.with)]),
    element('nc:display-name', {}, [text(shareeName(world, share))]),
    element('nc:type', {}, [text(String(SHARE_TYPES[share.type]))]),
  ]);
}
