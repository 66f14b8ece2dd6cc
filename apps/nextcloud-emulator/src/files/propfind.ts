import type { Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import type { XmlElement } from '../http/xml-writer';
import { entriesFrom, entriesIn, rootEntry } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { demandEntry, hrefOf, rootOf } from './dav-call';
import type { FilesCall } from './dav-call';
import { clark, DAV } from './dav-names';
import { davHeader } from './dav-features';
import { readAsked } from './asked-properties';
import type { AskedProperties } from './asked-properties';
import { DEFAULT_PROPERTIES, propertyValue } from './file-properties';
import { multistatus, responseOf } from './multistatus';
import { answerPage, firstPage } from './paginate';

/** A folder or file and, by `Depth`, what is below it; without the header that is one level. */
export async function propfind(call: FilesCall): Promise<Reply> {
  const asked = await readAsked(call.exchange, DEFAULT_PROPERTIES);
  const headers = { DAV: davHeader(call.emulation.world.versions) };
  const laterPage = answerPage(call, headers);
  if (laterPage) return laterPage;
  if (call.owner !== call.uid && call.path === '/') return foreignRoot(call, asked, headers);
  const found = selectByDepth(call, demandEntry(call), headerOf(call.exchange, 'depth'));
  const responses = found.map((entry) => responseFor(call, entry, asked));
  return firstPage(call, responses, headers);
}

function selectByDepth({ emulation, uid }: FilesCall, entry: Entry, depth: string): Entry[] {
  if (depth === 'infinity') return [...entriesFrom(emulation.world, uid, entry)];
  if (depth === '0') return [entry];
  return [entry, ...entriesIn(emulation.world, uid, entry)];
}

function responseFor(call: FilesCall, entry: Entry, asked: AskedProperties): XmlElement {
  const subject = { world: call.emulation.world, uid: call.owner, entry };
  return responseOf(hrefOf(call, entry), (name) => propertyValue(subject, name), asked);
}

/** The root of another person who exists looks like an empty folder: no proof of access. */
function foreignRoot(call: FilesCall, asked: AskedProperties, headers: Record<string, string>): Reply {
  const names = asked.foundOnly ? [clark(DAV, 'resourcetype')] : asked.names;
  return multistatus([responseFor(call, rootEntry(rootOf(call)), { ...asked, names })], headers);
}
