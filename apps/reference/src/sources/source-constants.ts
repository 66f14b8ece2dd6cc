import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** An expression and where it stands. */
export interface Written {
  readonly value: ts.Expression;
  readonly file: ts.SourceFile;
}

/** A constant, or a property of an object literal, with the comment before it. */
export interface WrittenConstant extends Written {
  readonly comment: string | undefined;
}

/**
 * The constants of some source folders. The comments are read from the sources because nothing keeps them at run
 * time, and written a second time they would soon say something else.
 */
export class SourceConstants {
  private readonly exported = new Map<string, WrittenConstant>();
  private readonly local = new Map<ts.SourceFile, Map<string, WrittenConstant>>();

  constructor(folders: readonly string[]) {
    for (const file of folders.flatMap(sourceFiles)) this.read(file);
  }

  /** By its name, as a file sees it: its own constant, else an exported one (their names are unique). */
  find(name: string, seenFrom?: ts.SourceFile): WrittenConstant | undefined {
    return (seenFrom && this.local.get(seenFrom)?.get(name)) ?? this.exported.get(name);
  }

  /** One property of a constant that is an object, or is made from one: `defineRequest({ … })`. */
  field(constant: string, name: string): WrittenConstant | undefined {
    const written = this.find(constant);
    if (!written) return undefined;
    const { value, file } = written;
    const literal = ts.isCallExpression(value) ? value.arguments[0] : value;
    return literal && this.fieldsOfLiteral({ value: literal, file }).get(name);
  }

  /** The properties of an object literal, those that it spreads included. */
  fieldsOfLiteral({ value, file }: Written): Map<string, WrittenConstant> {
    if (ts.isAsExpression(value)) return this.fieldsOfLiteral({ value: value.expression, file });
    if (ts.isIdentifier(value)) {
      const constant = this.find(value.text, file);
      return constant ? this.fieldsOfLiteral(constant) : new Map<string, WrittenConstant>();
    }
    if (!ts.isObjectLiteralExpression(value)) return new Map();
    return new Map(value.properties.flatMap((property) => [...this.fieldsOfProperty(property, file)]));
  }

  private fieldsOfProperty(
    property: ts.ObjectLiteralElementLike,
    file: ts.SourceFile,
  ): Iterable<[string, WrittenConstant]> {
    if (ts.isSpreadAssignment(property)) return this.fieldsOfLiteral({ value: property.expression, file });
    if (!property.name || !ts.isIdentifier(property.name)) return [];
    const comment = commentBefore(property, file);
    if (ts.isPropertyAssignment(property)) {
      return [[property.name.text, { value: property.initializer, comment, file }]];
    }
    return ts.isShorthandPropertyAssignment(property)
      ? [[property.name.text, { value: property.name, comment, file }]]
      : [];
  }

  private read(file: ts.SourceFile): void {
    const local = new Map<string, WrittenConstant>();
    for (const statement of file.statements.filter(ts.isVariableStatement)) {
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !ts.isIdentifier(name)) continue;
        const constant = { value: initializer, comment: commentBefore(statement, file), file };
        local.set(name.text, constant);
        if (isExported) this.exported.set(name.text, constant);
      }
    }
    this.local.set(file, local);
  }
}

/** The doc comment before a statement, a property or an entry of a list, on one line; what a tag says is a sentence. */
export const commentBefore = (node: ts.Node, file: ts.SourceFile): string | undefined => {
  const start = node.getFullStart();
  // On the line of the token before it a comment counts as that token's.
  const ranges = [ts.getTrailingCommentRanges, ts.getLeadingCommentRanges].map(
    (of) => of(file.text, start) ?? [],
  );
  const last = ranges
    .flat()
    .map(({ pos, end }) => file.text.slice(pos, end))
    .at(-1);
  if (!last?.startsWith('/**')) return undefined;
  return last
    .slice(3, -2)
    .replace(/^\s*\* ?/gm, '')
    .replace(/@[a-z]+ (.)/g, (_tag, first: string) => first.toUpperCase())
    .replace(/\s+/g, ' ')
    .trim();
};

const sourceFiles = (folder: string): ts.SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts'))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
    });
