/**
 * The text of a tainted turn, in which a link could carry away what the model has read, or an image fetch it at a
 * mere glance: images are dropped, links to foreign hosts stand as code. What stands in code already stays.
 * @param ownHosts hosts (with port, where they have one) that may be linked
 */
export const inertLinks = (text: string, ownHosts: ReadonlySet<string>): string =>
  text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : inertPart(part, ownHosts)))
    // Two runs of backticks that touch are one, which closes neither code.
    .reduce((before, part) => before + (before.endsWith('`') && part.startsWith('`') ? ' ' : '') + part, '');

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
    if (label !== undefined && target !== undefined) {
      const own = isOwn(target, ownHosts) && label === plain(label);
      return own ? whole : `${inertPart(plain(label), ownHosts)} ${code(target)}`;
    }
    return address === undefined || isOwn(address, ownHosts) ? whole : code(address);
  });

/** Words that can open no link, image or tag of their own. */
const plain = (label: string): string => label.replace(/[![\]<>]/g, '');

const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('`', '')}\``);

const isOwn = (address: string, ownHosts: ReadonlySet<string>): boolean => {
  if (!URL.canParse(address)) return false; // clients may still link it, and nobody can say to where
  const { protocol, host, username } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && ownHosts.has(host);
};
