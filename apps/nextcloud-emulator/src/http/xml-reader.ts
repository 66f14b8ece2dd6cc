import { SaxesParser } from 'saxes';

/** An element as read: namespace and local name instead of a prefix. */
export interface ReadElement {
  readonly namespace: string;
  readonly name: string;
  readonly children: ReadElement[];
  /** The text directly inside, put together. */
  text: string;
}

/** XML that cannot be used; the message says why. */
export class InvalidXml extends Error {
  override readonly name = 'InvalidXml';
}

const MAX_DEPTH = 64;

/** Parses a document with namespaces. A DOCTYPE is refused, so no entity can be defined. @throws {InvalidXml} */
export function readXml(source: string): ReadElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: ReadElement[] = [];
  let root: ReadElement | undefined;
  parser.on('error', (error) => {
    throw new InvalidXml(error.message);
  });
  parser.on('doctype', () => {
    throw new InvalidXml('A DOCTYPE is not accepted');
  });
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw new InvalidXml('The elements are nested too deeply');
    const element = { namespace: tag.uri, name: tag.local, children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(source).close();
  if (!root) throw new InvalidXml('There is no element');
  return root;
}

export function childNamed(element: ReadElement, namespace: string, name: string): ReadElement | undefined {
  return element.children.find((child) => child.namespace === namespace && child.name === name);
}
