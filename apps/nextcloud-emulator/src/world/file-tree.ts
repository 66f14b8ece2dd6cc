import { createHash } from 'node:crypto';
import type { FileNode, FolderNode, TreeNode, World } from './world';

const MIMETYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp4: 'video/mp4',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  zip: 'application/zip',
};

export function mimetypeOf(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return MIMETYPES[extension] ?? 'application/octet-stream';
}

/** A file's ETag: 32 hex digits. */
export function fileEtag(id: number, change: number): string {
  return createHash('md5').update(`${id}:${change}`).digest('hex');
}

/** A folder's ETag: 13 hex digits made of the time, like PHP's `uniqid()`; `salt` keeps two in one instant apart. */
export function folderEtag(nowMs: number, salt: number): string {
  const seconds = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  const micros = (((nowMs % 1000) * 1000 + salt) % 0x100000).toString(16).padStart(5, '0');
  return seconds + micros;
}

export function newFolder(world: World, ownerId: string, name: string, nowMs: number): FolderNode {
  const id = ++world.lastFileId;
  return {
    kind: 'folder',
    id,
    name,
    ownerId,
    parent: null,
    children: new Map(),
    modifiedAt: Math.floor(nowMs / 1000),
    etag: folderEtag(nowMs, ++world.lastChange),
  };
}

export function newFile(
  world: World,
  ownerId: string,
  name: string,
  content: Buffer,
  mimetype: string,
  nowMs: number,
): FileNode {
  const id = ++world.lastFileId;
  const modifiedAt = Math.floor(nowMs / 1000);
  const etag = fileEtag(id, ++world.lastChange);
  return {
    kind: 'file',
    id,
    name,
    ownerId,
    parent: null,
    content,
    mimetype,
    modifiedAt,
    etag,
    versions: [],
  };
}

/** Puts a node into a folder, where it gets the owner of that storage; the name has to be free. */
export function attach(folder: FolderNode, node: TreeNode, name: string): void {
  node.name = name;
  node.parent = folder;
  folder.children.set(name, node);
  if (node.ownerId !== folder.ownerId)
    for (const { node: one } of walk(node, '')) one.ownerId = folder.ownerId;
}

export function detach(node: TreeNode): void {
  node.parent?.children.delete(node.name);
  node.parent = null;
}

/** The folder at the top of the node's storage; of trashed things the topmost that was trashed with it. */
export function topOf(node: TreeNode): TreeNode {
  return node.parent ? topOf(node.parent) : node;
}

/** Path of a node in its storage, `/` for the root. */
export function pathOf(node: TreeNode): string {
  return node.parent ? childPath(pathOf(node.parent), node.name) : '/';
}

export function isWithin(node: TreeNode, folder: TreeNode): boolean {
  return node === folder || (node.parent !== null && isWithin(node.parent, folder));
}

/** Segments of a decoded path; NFD and NFC spellings are one name. */
export function segmentsOf(path: string): string[] {
  return path
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '');
}

/** What lies under a path below a folder; a file has only itself, under the empty path. */
export function findNode(top: TreeNode, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = top;
  for (const segment of segmentsOf(path)) {
    if (node?.kind !== 'folder') return undefined;
    node = node.children.get(segment);
  }
  return node;
}

/** Children in the order of their names' bytes, as the server lists them. */
export function childrenOf(folder: FolderNode): TreeNode[] {
  return [...folder.children.values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
  );
}

/** Bytes of a file, or of everything below a folder. */
export function sizeOf(node: TreeNode): number {
  if (node.kind === 'file') return node.content.length;
  let size = 0;
  for (const child of node.children.values()) size += sizeOf(child);
  return size;
}

/** The node and all below it, parents first, each with its path below `path`. */
export function* walk(node: TreeNode, path: string): Generator<{ node: TreeNode; path: string }> {
  yield { node, path };
  if (node.kind === 'file') return;
  for (const child of childrenOf(node)) yield* walk(child, childPath(path, child.name));
}

export function childPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
