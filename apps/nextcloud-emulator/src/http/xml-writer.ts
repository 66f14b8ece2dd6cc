/** A tree to be written as XML. Text and attribute values are escaped here and nowhere else. */
export type XmlNode = { readonly text: string } | XmlElement;

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly XmlNode[] = [],
): XmlElement {
  return { name, attributes, children };
}

export function text(value: string): XmlNode {
  return { text: value };
}

/** The document with its declaration; `indent` puts each element on a line of its own. */
export function xmlDocument(root: XmlElement, options: { indent?: string; encoding?: string } = {}): string {
  const encoding = options.encoding === undefined ? '' : ` encoding="${options.encoding}"`;
  return `<?xml version="1.0"${encoding}?>\n${write(root, options.indent ?? '', 0)}\n`;
}

function write(node: XmlNode, indent: string, depth: number): string {
  if ('text' in node) return escapeText(node.text);
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => ` ${name}="${escapeText(value)}"`,
  );
  const opening = `<${node.name}${attributes.join('')}`;
  if (node.children.length === 0) return `${opening}/>`;
  const inline = indent === '' || node.children.some((child) => 'text' in child);
  const inner = node.children.map((child) => write(child, inline ? '' : indent, depth + 1));
  if (inline) return `${opening}>${inner.join('')}</${node.name}>`;
  const margin = `\n${indent.repeat(depth + 1)}`;
  return `${opening}>${margin}${inner.join(margin)}\n${indent.repeat(depth)}</${node.name}>`;
}

function escapeText(value: string): string {
  return (
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
      // XML 1.0 cannot carry these at all.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
