import type { OutgoingHttpHeaders } from 'node:http';
import type { Reply } from '../http/exchange';
import { element, text, xmlDocument } from '../http/xml-writer';
import type { XmlElement, XmlNode } from '../http/xml-writer';
import { PREFIXES, ROOT_NAMESPACES } from './dav-names';
import type { AskedProperties } from './asked-properties';

/** A property's value: text, or elements; undefined where there is none. */
export type PropertyValue = string | readonly XmlNode[] | undefined;

/** One `<d:response>`: the properties that there are under 200, the others under 404 unless `foundOnly`. */
export function responseOf(
  href: string,
  valueOf: (name: string) => PropertyValue,
  { names, foundOnly }: AskedProperties,
): XmlElement {
  const found: XmlElement[] = [];
  const missing: XmlElement[] = [];
  for (const name of names) {
    const value = valueOf(name);
    if (value === undefined) missing.push(propertyElement(name, []));
    else found.push(propertyElement(name, valueNodes(value)));
  }
  return element('d:response', {}, [
    element('d:href', {}, [text(href)]),
    ...(found.length > 0 || missing.length === 0 ? [propstat(found, '200 OK')] : []),
    ...(missing.length > 0 && !foundOnly ? [propstat(missing, '404 Not Found')] : []),
  ]);
}

function propstat(properties: readonly XmlElement[], status: string): XmlElement {
  return element('d:propstat', {}, [
    element('d:prop', {}, properties),
    element('d:status', {}, [text(`HTTP/1.1 ${status}`)]),
  ]);
}

/** An empty text still makes `<a></a>`, where no child makes `<a/>`. */
function valueNodes(value: string | readonly XmlNode[]): readonly XmlNode[] {
  return typeof value === 'string' ? [text(value)] : value;
}

function propertyElement(name: string, children: readonly XmlNode[]): XmlElement {
  const [namespace = '', local = ''] = name.slice(1).split('}');
  const prefix = PREFIXES[namespace];
  if (prefix !== undefined) return element(`${prefix}:${local}`, {}, children);
  return namespace === ''
    ? element(local, {}, children)
    : element(`x1:${local}`, { 'xmlns:x1': namespace }, children);
}

export function multistatus(responses: readonly XmlElement[], headers: OutgoingHttpHeaders): Reply {
  return {
    status: 207,
    headers: { 'Content-Type': 'application/xml; charset=utf-8', ...headers },
    body: xmlDocument(element('d:multistatus', ROOT_NAMESPACES, responses)),
  };
}
