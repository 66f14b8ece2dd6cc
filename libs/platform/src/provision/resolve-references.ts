import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SECRET_FIELDS } from '@nuqloud/contracts';
import { errorCode } from '../errors/app-error';
import type { ProvisionPath } from './provision-error';

export interface ReferenceSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder against which `file:PATH` is read: the provision file's. */
  readonly folder: string;
}

/** Says what cannot be resolved; told together with its line. */
export class UnresolvedReference extends Error {}

const REFERENCE = /\$\{([^{}]*)\}/g;
const VARIABLE = /^[A-Za-z_]\w*$/;
const FILE = /^file:(?=\S)/;

/**
 * Replaces every `${NAME}` and, where the text is `file:PATH`, reads that file; its last line break is left out.
 * What is put in is not looked at again.
 * @throws UnresolvedReference
 */
export const resolveReference = (text: string, { env, folder }: ReferenceSource): string => {
  const resolved = text.replace(REFERENCE, (_reference, name: string) => {
    if (!VARIABLE.test(name)) {
      throw new UnresolvedReference('${…} must hold the name of a variable: letters, digits and _');
    }
    const value = env[name];
    if (value === undefined || value === '') throw new UnresolvedReference(`the variable ${name} is not set`);
    return value;
  });
  return FILE.test(text) ? readReferencedFile(path.resolve(folder, resolved.replace(FILE, ''))) : resolved;
};

const readReferencedFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UnresolvedReference(`the file ${file} cannot be read (${errorCode(error)})`);
  }
};

export interface Resolved {
  /** The tree with references resolved; undefined stands where one could not be. */
  readonly value: unknown;
  readonly unresolved: readonly { readonly path: ProvisionPath; readonly message: string }[];
}

/** Resolves the references of a whole tree, except in secret fields, whose owner alone can. */
export const resolveTree = (tree: unknown, source: ReferenceSource): Resolved => {
  const unresolved: { path: ProvisionPath; message: string }[] = [];
  const resolve = (node: unknown, at: ProvisionPath): unknown => {
    if (Array.isArray(node)) return node.map((entry, index) => resolve(entry, [...at, index]));
    if (typeof node === 'object' && node !== null) {
      const entries = Object.entries(node).map(
        ([key, entry]) => [key, resolve(entry, [...at, key])] as const,
      );
      return Object.fromEntries(entries);
    }
    if (typeof node !== 'string' || SECRET_FIELDS.has(String(at.at(-1)))) return node;
    try {
      return resolveReference(node, source);
    } catch (error) {
      if (!(error instanceof UnresolvedReference)) throw error;
      unresolved.push({ path: at, message: error.message });
      return undefined;
    }
  };
  return { value: resolve(tree, []), unresolved };
};
