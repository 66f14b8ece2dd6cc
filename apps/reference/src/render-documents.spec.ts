import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REFERENCE_FOLDER, renderDocuments } from './render-documents';

const HINT = 'run `npm run docs` and commit what it writes';

const documents = renderDocuments();

/** The first line that differs says enough: the rest comes from the generator anyway. */
const firstDifference = (committed: string, current: string): string => {
  const there = committed.split('\n');
  const here = current.split('\n');
  const line = here.findIndex((text, index) => text !== there[index]);
  const at = line === -1 ? here.length : line;
  return `line ${at + 1}:\n  committed: ${there[at] ?? '(end)'}\n  current:   ${here[at] ?? '(end)'}`;
};

it('what is committed in docs/reference is what the sources say now', () => {
  for (const [name, current] of documents) {
    const file = path.join(REFERENCE_FOLDER, name);
    if (!existsSync(file)) throw new Error(`docs/reference/${name} is missing: ${HINT}.`);
    const committed = readFileSync(file, 'utf8');
    if (committed === current) continue;
    throw new Error(`docs/reference/${name} is not current: ${HINT}. ${firstDifference(committed, current)}`);
  }
});

it('nothing else stands in docs/reference', () => {
  expect(readdirSync(REFERENCE_FOLDER).sort()).toEqual([...documents.keys()]);
});

it('every link leads to a heading or a file that exists', () => {
  const headings = new Map(
    [...documents].map(([name, text]) => [
      name,
      new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, h]) => slug(h ?? ''))),
    ]),
  );
  const broken = [...documents].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, file, anchor]) => {
        const target = file || name;
        if (anchor !== undefined) return !headings.get(target)?.has(anchor);
        return !existsSync(path.join(REFERENCE_FOLDER, target));
      })
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** A heading's address as GitHub makes it. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
