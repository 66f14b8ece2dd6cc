import type { Tool } from '@nuqloud/tool-sdk';
import type { FilesCall } from '../call/files-call';
import { describeFile } from './describe-file.tool';
import { listFolder } from './list-folder.tool';
import { readFile } from './read-file.tool';

/** The family, in the order in which a person would meet its tools. */
export const FILES_TOOLS: readonly Tool<FilesCall>[] = [listFolder, describeFile, readFile];
