/** Something that must not be found where it does not belong. */
export interface Canary {
  /** For messages of a failing test; says whose it is. */
  readonly name: string;
  readonly value: string;
}

/** Shorter pieces could be found by accident. */
const SHORTEST = 12;

/** How a value looks when it travels: as it is, in a URL, in hex, in base64 wherever it begins in what is encoded. */
export const formsOf = (value: string): string[] => {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last characters also depend on what stands beside it.
    const own = encoded.slice(before === 0 ? 0 : 4, Math.floor((before + bytes.length) / 3) * 4);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const plain = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), bytes.toString('hex')];
  return [...new Set([...plain, ...base64])].filter((form) => form.length >= SHORTEST);
};

/** Which canaries stand in a text, in whatever form. */
export const canariesIn = (text: string | Buffer, canaries: readonly Canary[]): string[] => {
  const haystack = typeof text === 'string' ? text : text.toString('latin1');
  return canaries.flatMap(({ name, value }) =>
    formsOf(value).some((form) => haystack.includes(form)) ? [name] : [],
  );
};
