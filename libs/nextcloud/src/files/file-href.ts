const FILES_TREE = ['remote.php', 'dav', 'files'];

/**
 * The path inside a person's files that an href of the server names, decoded and in NFC. The
 * server writes its own sub-folder in front, lower-case hex, and a slash behind folders.
 * @returns undefined where the href names nothing inside this person's files
 */
export const pathOfHref = (href: string, uid: string): string | undefined => {
  const segments = href
    .replace(/^https?:\/\/[^/]*/i, '')
    .split('/')
    .map(decodeSegment);
  const tree = segments.findIndex((_, index) =>
    [...FILES_TREE, uid].every((part, offset) => segments[index + offset] === part),
  );
  if (tree < 0) return undefined;
  const inside = segments.slice(tree + FILES_TREE.length + 1);
  if (inside.at(-1) === '') inside.pop();
  if (inside.some((part) => part === '' || part === '.' || part === '..' || part.includes('/'))) {
    return undefined;
  }
  return `/${inside.join('/')}`.normalize('NFC');
};

/** The decoded last part of an href, with or without a slash behind it. */
export const lastSegmentOf = (href: string): string =>
  decodeSegment(href.replace(/\/$/, '').split('/').at(-1) ?? '');

/** A name that is not UTF-8 (old storages have such) is shown with replacement characters. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    // decodeURIComponent accepts valid UTF-8 only.
    return Buffer.from(
      segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');
  }
};
