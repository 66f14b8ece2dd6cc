export { startToolFiles } from './start';
export type { ToolFilesOptions } from './start';
export { ToolFilesConfig } from './tool-files.config';
export { FILES_TOOLS } from './tools';
