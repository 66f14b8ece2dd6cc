/**
 * The text of a tainted turn, in which a link could carry away what the model has read, or an image fetch it at a
 * mere glance: images are dropped, links to foreign hosts stand as code.
 *
 * The first pass makes it readable, the second makes it certain. Telling text from code, links and HTML takes a whole
 * Markdown parser that agrees with the reader's; the second pass needs none, because it breaks up, wherever they
 * stand, the few character sequences without which no parser sees a link or an image.
 * @param ownHosts hosts (with port, where they have one) that may be linked
 */
export const inertLinks = (text: string, ownHosts: ReadonlySet<string>): string =>
  broken(
    text
      .split(CODE)
      .map((part, index) => (index % 2 === 1 ? part : inertPart(part, ownHosts)))
      // Two runs of backticks that touch are one, which closes neither code.
      .reduce(
        (before, part) => before + (before.endsWith('`') && part.startsWith('`') ? ' ' : '') + part,
        '',
      ),
    ownHosts,
  );

/** WORD JOINER: takes no room, so what is read stays the same. */
const JOINER = '\u2060';

/**
 * An image needs `![`, a link `](`, `]:` for its target, or an address that clients link by themselves; a tag and an
 * address in angle brackets need `<` before a letter. Escapes and entities could spell any of these.
 */
const SEEN_BY_PARSERS =
  /!(?=\[)|\](?=[(:])|<(?=[a-z/!?])|[\\&@]|:(?=\/\/)|www(?=\.)|(?:mailto|xmpp|tel|data|javascript)(?=:)/;

/** An address in which every parser reads the same host: of plain characters, and ended by white space or a bracket. */
const PLAIN_ADDRESS = /(?<![^\s(<])https?:\/\/[a-z0-9.-]+(?::[0-9]+)?(?:\/[a-z0-9/._~%?=#+-]*)?(?![^\s)>])/;

const OWN_OR_SEEN = new RegExp(`(${PLAIN_ADDRESS.source})|${SEEN_BY_PARSERS.source}`, 'gi');
const SEEN = new RegExp(SEEN_BY_PARSERS, 'gi');

const broken = (text: string, ownHosts: ReadonlySet<string>): string =>
  text.replace(OWN_OR_SEEN, (found, address?: string) => {
    if (address === undefined) return found + JOINER;
    return ownHosts.has(hostOf(address)) ? address : address.replace(SEEN, `$&${JOINER}`);
  });

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/** Fenced blocks and code spans, which Talk shows as they are. */
const CODE = /(^```[^`\n]*\n(?:[\s\S]*?\n)?(?:```[ \t]*$|(?![\s\S]))|(?<!`)`[^`\n]+`(?!`))/m;

const LEADS_ELSEWHERE = new RegExp(
  [
    /!\[(?<alternative>[^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/,
    /\[(?<label>[^\]]*)\]\(\s*<?(?<target>[^)\s>]*)>?[^)]*\)/,
    // `[name]: address` gives `[text][name]` its target.
    /(?<definition>^ {0,3}\[[^\]\n]+\]:.*$)/,
    /(?<tag><\/?[a-z][^>]*\s(?:href|src|srcset|style|action|data|poster|background)\s*=[^>]*>?)/,
    // Also what has no slashes (`mailto:`), and what clients link without any scheme (`www.`).
    /<?(?<address>(?:(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/|mailto:|tel:|data:|javascript:|www\.)[^\s<>`]+)>?/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
);

type Found = Partial<Record<'alternative' | 'label' | 'target' | 'definition' | 'tag' | 'address', string>>;

/** A backtick that closes nothing would pair with those that are put in here, and turn code into text. */
const inertPart = (text: string, ownHosts: ReadonlySet<string>): string =>
  text.replaceAll('`', '').replace(LEADS_ELSEWHERE, (whole, ...rest) => {
    const { alternative, label, target, definition, tag, address } = rest.at(-1) as Found;
    if (alternative !== undefined) return inertPart(plain(alternative), ownHosts);
    if (definition !== undefined) return '';
    if (tag !== undefined) return code(tag);
    if (label !== undefined && target !== undefined)
      return `${inertPart(plain(label), ownHosts)} ${shown(target, ownHosts)}`;
    return address === undefined ? whole : shown(address, ownHosts);
  });

/** Words that can open no link, image or tag of their own. */
const plain = (label: string): string => label.replace(/[![\]<>]/g, '');

const shown = (address: string, ownHosts: ReadonlySet<string>): string =>
  ownHosts.has(hostOf(address)) ? address : code(address);

const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('`', '')}\``);
