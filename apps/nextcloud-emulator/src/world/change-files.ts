import { attach, detach, fileEtag, folderEtag, mimetypeOf, newFile, newFolder } from './file-tree';
import type { FileNode, FolderNode, TreeNode, World } from './world';

/** Every folder above a change gets a new ETag, all of them the same one, and the time of the change. */
export function touchParents(world: World, node: TreeNode, nowMs: number): void {
  if (node.parent) touchFolders(world, node.parent, nowMs);
}

function touchFolders(world: World, from: FolderNode, nowMs: number): void {
  const etag = folderEtag(nowMs, ++world.lastChange);
  for (let folder: FolderNode | null = from; folder; folder = folder.parent) {
    folder.etag = etag;
    folder.modifiedAt = Math.floor(nowMs / 1000);
  }
}

export function createFolder(world: World, parent: FolderNode, name: string, nowMs: number): FolderNode {
  const folder = newFolder(world, parent.ownerId, name, nowMs);
  attach(parent, folder, name);
  touchParents(world, folder, nowMs);
  return folder;
}

/** `modifiedAt` is the time that the client gives the file, in seconds. */
export function createFile(
  world: World,
  parent: FolderNode,
  name: string,
  content: Buffer,
  nowMs: number,
  modifiedAt?: number,
): FileNode {
  const file = newFile(world, parent.ownerId, name, content, mimetypeOf(name), nowMs);
  if (modifiedAt !== undefined) file.modifiedAt = modifiedAt;
  attach(parent, file, name);
  touchParents(world, file, nowMs);
  return file;
}

/**
 * Replaces a file's content and keeps the old one as a version. Recorded from a real server: a file that is
 * overwritten within the second of its last change keeps its ETag, unless the client gives the time itself.
 */
export function overwriteFile(
  world: World,
  file: FileNode,
  content: Buffer,
  nowMs: number,
  modifiedAt?: number,
): void {
  keepVersion(world, file);
  const now = Math.floor(nowMs / 1000);
  if (modifiedAt !== undefined || now !== file.modifiedAt) file.etag = fileEtag(file.id, ++world.lastChange);
  file.content = content;
  file.modifiedAt = modifiedAt ?? now;
  touchParents(world, file, nowMs);
}

/** No version is made of an empty file; a second one of the same second replaces the first. */
function keepVersion(world: World, file: FileNode): void {
  if (!world.versions.apps.has('files_versions') || file.content.length === 0) return;
  const version = { timestamp: file.modifiedAt, content: file.content };
  const others = file.versions.filter(({ timestamp }) => timestamp !== version.timestamp);
  file.versions = [...others, version].sort((a, b) => a.timestamp - b.timestamp);
}

/** Makes an earlier content the current one again, with its time; the current one becomes a version. */
export function rollBack(world: World, file: FileNode, timestamp: number, nowMs: number): void {
  const version = file.versions.find((one) => one.timestamp === timestamp);
  if (!version) return;
  keepVersion(world, file);
  file.versions = file.versions.filter((one) => one !== version);
  file.content = version.content;
  file.modifiedAt = version.timestamp;
  file.etag = fileEtag(file.id, ++world.lastChange);
  touchParents(world, file, nowMs);
}

/** Takes a node out of its folder. */
export function removeNode(world: World, node: TreeNode, nowMs: number): void {
  touchParents(world, node, nowMs);
  detach(node);
}

/** Moves or renames; id, ETag, time and versions stay. The name has to be free in the target folder. */
export function moveNode(
  world: World,
  node: TreeNode,
  target: FolderNode,
  name: string,
  nowMs: number,
): void {
  if (node.kind === 'file') node.mimetype = mimetypeAs(node, name);
  removeNode(world, node, nowMs);
  attach(target, node, name);
  touchParents(world, node, nowMs);
}

/** Copies a node and all below it, with new ids and without versions. */
export function copyNode(
  world: World,
  node: TreeNode,
  target: FolderNode,
  name: string,
  nowMs: number,
): TreeNode {
  const copy = deepCopy(world, node, name, nowMs);
  attach(target, copy, name);
  touchParents(world, copy, nowMs);
  return copy;
}

/** A copy that lies in no folder yet. */
export function deepCopy(world: World, node: TreeNode, name: string, nowMs: number): TreeNode {
  if (node.kind === 'file')
    return newFile(world, node.ownerId, name, node.content, mimetypeAs(node, name), nowMs);
  const copy = newFolder(world, node.ownerId, name, nowMs);
  for (const child of node.children.values())
    attach(copy, deepCopy(world, child, child.name, nowMs), child.name);
  return copy;
}

/** The type follows the name's ending; a type that the fixture gave stays while the ending does. */
function mimetypeAs(file: FileNode, name: string): string {
  return mimetypeOf(name) === mimetypeOf(file.name) ? file.mimetype : mimetypeOf(name);
}

export function removeVersion(file: FileNode, timestamp: number): void {
  file.versions = file.versions.filter((version) => version.timestamp !== timestamp);
}
