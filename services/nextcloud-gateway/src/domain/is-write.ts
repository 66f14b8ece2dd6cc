const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PROPFIND', 'REPORT', 'SEARCH', 'OPTIONS']);

/** Whether a request may change something in Nextcloud; a method that is not known to read counts as one that may. */
export const isWrite = (method: string): boolean => !READING.has(method);
