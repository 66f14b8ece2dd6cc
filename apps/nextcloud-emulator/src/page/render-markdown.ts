import type { RichParameters } from '../talk/rich-parameters';
import { escapeHtml } from './escape-html';

/**
 * The part of Markdown that Talk shows, as HTML: paragraphs, headings, lists, quotes, code, bold, italics, links to
 * http(s). Everything else is text: whatever is not made here is escaped, so no HTML of a message gets through.
 */
export function renderMarkdown(source: string, parameters: RichParameters): string {
  return splitFences(source)
    .map((part) =>
      part.code ? `<pre><code>${escapeHtml(part.text)}</code></pre>` : renderBlocks(part.text, parameters),
    )
    .join('');
}

function splitFences(source: string): { code: boolean; text: string }[] {
  const parts: { code: boolean; text: string }[] = [];
  let lines: string[] = [];
  let code = false;
  const flush = () => {
    if (code || lines.some((line) => line.trim() !== '')) parts.push({ code, text: lines.join('\n') });
    lines = [];
  };
  for (const line of source.split('\n')) {
    if (!/^ {0,3}```/.test(line)) {
      lines.push(line);
      continue;
    }
    flush();
    code = !code;
  }
  flush();
  return parts;
}

interface Block {
  readonly kind: 'paragraph' | 'heading' | 'bullets' | 'numbers' | 'quote';
  readonly lines: string[];
}

const LINE_KINDS: readonly (readonly [kind: Block['kind'], pattern: RegExp])[] = [
  ['heading', /^#{1,6} +/],
  ['bullets', /^\s*[-*+] +/],
  ['numbers', /^\s*\d{1,9}[.)] +/],
  ['quote', /^> ?/],
];

function renderBlocks(text: string, parameters: RichParameters): string {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      open = undefined;
      continue;
    }
    const [kind, pattern] = LINE_KINDS.find(([, one]) => one.test(line)) ?? (['paragraph', /^/] as const);
    if (open?.kind !== kind || kind === 'heading') {
      open = { kind, lines: [] };
      blocks.push(open);
    }
    open.lines.push(line.replace(pattern, ''));
  }
  return blocks.map((block) => renderBlock(block, parameters)).join('');
}

function renderBlock({ kind, lines }: Block, parameters: RichParameters): string {
  const inline = lines.map((line) => renderInline(line, parameters));
  switch (kind) {
    case 'heading':
      return `<p class="heading">${inline.join('')}</p>`;
    case 'bullets':
      return `<ul>${inline.map((item) => `<li>${item}</li>`).join('')}</ul>`;
    case 'numbers':
      return `<ol>${inline.map((item) => `<li>${item}</li>`).join('')}</ol>`;
    case 'quote':
      return `<blockquote>${inline.join('<br>')}</blockquote>`;
    case 'paragraph':
      return `<p>${inline.join('<br>')}</p>`;
  }
}

const INLINE = new RegExp(
  [
    /\\([\\`*_{}[\]()#+\-.!|<>~@])/, // 1 escaped sign
    /`([^`]+)`/, // 2 code
    /\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/, // 3 text and 4 address of a link
    /(https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/, // 5 bare address
    /\*\*(?=\S)(.+?)\*\*/, // 6 bold
    /\*(?=\S)([^*]+?)\*/, // 7 italics
    /(?<!\w)_(?=\S)([^_]+?)_(?!\w)/, // 8 italics
    /\{([a-z0-9-]+)\}/, // 9 placeholder
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'g',
);

function renderInline(text: string, parameters: RichParameters): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(end, match.index)) + renderMatch(match, parameters);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderMatch(match: RegExpMatchArray, parameters: RichParameters): string {
  const [all, escaped, code, linkText, linkTo, bare, bold, starred, underlined, placeholder] = match;
  if (escaped !== undefined) return escapeHtml(escaped);
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (linkText !== undefined && linkTo !== undefined) return link(linkTo, renderInline(linkText, parameters));
  if (bare !== undefined) return link(bare, escapeHtml(bare));
  if (bold !== undefined) return `<strong>${renderInline(bold, parameters)}</strong>`;
  const italics = starred ?? underlined;
  if (italics !== undefined) return `<em>${renderInline(italics, parameters)}</em>`;
  return renderPlaceholder(all, placeholder ?? '', parameters);
}

function renderPlaceholder(all: string, key: string, parameters: RichParameters): string {
  const parameter = parameters[key];
  if (!parameter) return escapeHtml(all);
  const name = parameter['name'] ?? '';
  const shown = key.startsWith('mention-') ? `@${name}` : name;
  return `<span class="chip">${escapeHtml(shown)}</span>`;
}

function link(address: string, html: string): string {
  return `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer">${html}</a>`;
}
