import type { Tool } from '@nuqloud/tool-sdk';
import type { FilesCall } from '../call/files-call';
import { appendToFile } from './append-to-file.tool';
import { deleteFile } from './delete-file.tool';
import { describeFile } from './describe-file.tool';
import { listFolder } from './list-folder.tool';
import { listTrash } from './list-trash.tool';
import { listVersions } from './list-versions.tool';
import { makeFolder } from './make-folder.tool';
import { readFile } from './read-file.tool';
import { restoreFile } from './restore-file.tool';
import { restoreVersion } from './restore-version.tool';
import { writeFile } from './write-file.tool';

/** The family, in the order in which a person would meet its tools. */
export const FILES_TOOLS: readonly Tool<FilesCall>[] = [
  listFolder,
  describeFile,
  readFile,
  writeFile,
  appendToFile,
  makeFolder,
  deleteFile,
  listTrash,
  restoreFile,
  listVersions,
  restoreVersion,
];
