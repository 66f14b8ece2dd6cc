import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, ErrorCode, ParsedNode, YAMLError } from 'yaml';
import type { Position, ProvisionPath, ProvisionProblem } from './provision-error';

export interface ParsedYaml {
  readonly value: unknown;
  readonly problems: readonly ProvisionProblem[];
  /** Where the value of that path stands, or else the nearest thing around it; with `key`, where its key stands. */
  readonly locate: (path: ProvisionPath, of?: 'value' | 'key') => Position;
}

/** The parser's own messages quote what stands in the file, which may be a secret. */
const SYNTAX: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'this \\ escape is not known; put text with a backslash in single quotes',
  BAD_INDENT: 'the indentation is wrong, or a closing bracket or quote is missing',
  BAD_SCALAR_START: 'text that begins with this character must stand in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there are two keys on one line; put text that holds ": " in quotes',
  DUPLICATE_KEY: 'this key stands twice',
  MISSING_CHAR: 'a colon, comma, quote or bracket is missing here',
  MULTIPLE_DOCS: 'the file must hold a single document, without a second ---',
  MULTILINE_IMPLICIT_KEY: 'this line has no "key: value"; the colon or the space after it is missing',
  TAB_AS_INDENT: 'lines are indented with spaces, not with tabs',
  TAG_RESOLVE_FAILED: 'tags (!name) are not known here; leave it out',
  UNEXPECTED_TOKEN: 'this was not expected here; put text that holds { } [ ] , : or # in quotes',
};

/**
 * Parses one YAML 1.2 document. Keys are text even where they look like numbers, because room tokens may.
 * Aliases are refused: they could make a small file huge, and nobody needs them here.
 */
export const parseYaml = (text: string): ParsedYaml => {
  const lineCounter = new LineCounter();
  const document = parseDocument(shieldReferences(text), {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (offset: number, message: string) => ({ path: [], message, ...positionAt(offset) });
  const problems = [...document.errors, ...document.warnings]
    .filter(isFirstOfLine(positionAt))
    .map((error) => problem(error.pos[0], SYNTAX[error.code] ?? `this is not YAML (${error.code})`));
  visit(document, {
    Alias: (_key, { range }) => {
      problems.push(problem(range?.[0] ?? 0, 'aliases (*name) are not supported; write the value again'));
    },
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string') scalar.value = unshieldReferences(scalar.value);
    },
  });
  return {
    problems,
    value: problems.length > 0 ? undefined : document.toJS(),
    locate: (path, of = 'value') => positionAt(offsetOf(document, path, of)),
  };
};

/** One mistake makes the parser stumble several times; the first says most. */
const isFirstOfLine = (positionAt: (offset: number) => Position) => {
  const seen = new Set<number>();
  return ({ pos }: YAMLError): boolean => {
    const { line } = positionAt(pos[0]);
    return !seen.has(line) && seen.add(line).has(line);
  };
};

const offsetOf = (document: Document.Parsed, path: ProvisionPath, of: 'value' | 'key'): number => {
  let node: ParsedNode | null = document.contents;
  let offset = node?.range[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!pair) return offset;
      offset = pair.key.range[0];
      if (of === 'key' && depth === path.length - 1) return offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step] ?? null;
    }
    // Where nothing stands after the key, the key is the best place to point at.
    if (node && node.range[0] < node.range[1]) offset = node.range[0];
  }
  return offset;
};

/**
 * In YAML's flow style `{ id: ${APP_ID} }` the braces would begin and end a map. While the parser looks, a reference
 * wears characters that Unicode guarantees never to be text, one for one, so that positions stay true.
 */
const shieldReferences = (text: string): string =>
  text.replace(/\$\{(\w+)\}/g, (_reference, name: string) => `\uFDD0\uFDD1${name}\uFDD2`);

const unshieldReferences = (text: string): string => text.replace(/\uFDD0\uFDD1(\w+)\uFDD2/g, '${$1}');
