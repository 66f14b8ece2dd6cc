import type { Exchange } from '../http/exchange';
import { childNamed, InvalidXml, readXml } from '../http/xml-reader';
import { badRequest } from './dav-failure';
import { clark, DAV } from './dav-names';

/** What a PROPFIND asks for. */
export interface AskedProperties {
  readonly names: readonly string[];
  /** An empty body asks for whatever there is, so nothing is reported as missing. */
  readonly foundOnly: boolean;
}

/** Reads the body of a PROPFIND; `usual` is what an empty one asks for. @throws {DavFailure} 400 */
export async function readAsked(exchange: Exchange, usual: readonly string[]): Promise<AskedProperties> {
  const body = (await exchange.readBody()).toString('utf8');
  const everything = { names: usual, foundOnly: true };
  if (body.trim() === '') return everything;
  try {
    const prop = childNamed(readXml(body), DAV, 'prop');
    if (!prop) return everything;
    return { names: prop.children.map((child) => clark(child.namespace, child.name)), foundOnly: false };
  } catch (error) {
    if (error instanceof InvalidXml) throw badRequest(error.message);
    throw error;
  }
}
