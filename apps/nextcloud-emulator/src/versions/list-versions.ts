import { readAsked } from '../files/asked-properties';
import type { DavCall } from '../files/dav-call';
import { davHeader } from '../files/dav-features';
import { clark, DAV, encodeHref, NEXTCLOUD } from '../files/dav-names';
import { httpDate } from '../files/file-properties';
import { multistatus, responseOf } from '../files/multistatus';
import type { PropertyValue } from '../files/multistatus';
import { headerOf } from '../http/exchange';
import type { Reply } from '../http/exchange';
import { element } from '../http/xml-writer';
import type { Entry } from '../world/mounted-files';
import { isAtLeast } from '../world/world';
import type { FileNode, FileVersion } from '../world/world';

export interface VersionedFile {
  readonly entry: Entry;
  readonly file: FileNode;
}

export interface SeenVersion extends FileVersion {
  /** The content that the file has now. */
  readonly isCurrent: boolean;
}

/**
 * Earlier contents, the oldest first. From 26 on (when versions got names) the current content stands among them,
 * unless it was written within the second of a version.
 */
export function versionsOf(call: DavCall, { file }: VersionedFile): SeenVersion[] {
  const earlier = file.versions.map((version) => ({ ...version, isCurrent: false }));
  const taken = earlier.some(({ timestamp }) => timestamp === file.modifiedAt);
  if (taken || !isAtLeast(call.emulation.world.versions, 26)) return earlier;
  return [...earlier, { timestamp: file.modifiedAt, content: file.content, isCurrent: true }];
}

/** PROPFIND of a file's versions (undefined), or of one of them. */
export async function listVersions(
  call: DavCall,
  versioned: VersionedFile,
  one: SeenVersion | undefined,
): Promise<Reply> {
  const asked = await readAsked(call.exchange, USUAL);
  const { versions } = call.emulation.world;
  const base = `${call.emulation.webRoot}/remote.php/dav/versions/${call.uid}/versions/${versioned.file.id}/`;
  const shallow = headerOf(call.exchange, 'depth') === '0';
  const listed = one ? [one] : shallow ? [] : versionsOf(call, versioned);
  const named = isAtLeast(versions, 26);
  const responses = listed.map((version) =>
    responseOf(
      encodeHref(base + String(version.timestamp)),
      (name) => valueOf(versioned.file, version, named, name),
      asked,
    ),
  );
  const folder = one ? [] : [responseOf(encodeHref(base), folderValue, asked)];
  return multistatus([...folder, ...responses], { DAV: davHeader(versions) });
}

const USUAL = ['getlastmodified', 'getcontentlength', 'resourcetype', 'getetag', 'getcontenttype'].map(
  (name) => clark(DAV, name),
);

function folderValue(name: string): PropertyValue {
  return name === clark(DAV, 'resourcetype') ? [element('d:collection')] : undefined;
}

function valueOf(file: FileNode, version: SeenVersion, named: boolean, name: string): PropertyValue {
  switch (name) {
    case clark(DAV, 'getlastmodified'):
      return httpDate(version.timestamp);
    case clark(DAV, 'getcontentlength'):
      return String(version.content.length);
    case clark(DAV, 'resourcetype'):
      return [];
    case clark(DAV, 'getetag'):
      return String(version.timestamp);
    case clark(DAV, 'getcontenttype'):
      return file.mimetype;
    case clark(NEXTCLOUD, 'version-label'):
      return named ? '' : undefined;
    default:
      return undefined;
  }
}
