import type { CORE_PROVIDERS, CoreToolService } from '@nuqloud/contracts';

export type FamilyName = (typeof CORE_PROVIDERS)[CoreToolService];

/** The values a parameter of the query may have: these words, or a path in the person's own files. */
export type QueryValues = readonly string[] | 'path';

/** A kind of request to Nextcloud that a family may make; everything not listed is refused. */
export interface AllowedRequest {
  readonly methods: readonly string[];
  /**
   * Path below Nextcloud's base URL, compared literally. `{uid}` is the acting person's id, `*` one segment that is
   * not empty; a last `**` stands for any further segments, also none. It is what the log shows instead of the real
   * path.
   */
  readonly path: string;
  /** The only tools that may ask for it; where none is named, every tool of the family may. */
  readonly tools?: readonly string[];
  /** Where `Destination` has to lead, written like `path`. */
  readonly destination?: string;
  /** Parameters that a query may have, each at most once. */
  readonly query?: Readonly<Record<string, QueryValues>>;
  /** `xml` and `file` are handed on untouched; `search` is read to see whose files it is about. */
  readonly body: 'none' | 'xml' | 'file' | 'search';
}

export interface Family {
  /** How the names of its tools begin. */
  readonly toolPrefixes: readonly string[];
  readonly requests: readonly AllowedRequest[];
}

const JSON_FORMAT = { format: ['json'] };
const FLAG = ['true', 'false'];

/** Asked by every family's client: what the server can do, and who the person is. */
const ABOUT_SERVER_AND_SELF: readonly AllowedRequest[] = [
  { methods: ['GET'], path: '/ocs/v2.php/cloud/capabilities', query: JSON_FORMAT, body: 'none' },
  { methods: ['GET'], path: '/ocs/v2.php/cloud/user', query: JSON_FORMAT, body: 'none' },
];

const FILES = '/remote.php/dav/files/{uid}/**';
/** The root itself is nothing that a tool may write, move or delete. */
const BELOW_FILES = '/remote.php/dav/files/{uid}/*/**';
const SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares';

const READ_FILES: readonly AllowedRequest[] = [
  { methods: ['PROPFIND'], path: FILES, body: 'xml' },
  { methods: ['GET', 'HEAD'], path: FILES, body: 'none' },
  { methods: ['SEARCH'], path: '/remote.php/dav/', body: 'search' },
  { methods: ['PROPFIND'], path: '/remote.php/dav/trashbin/{uid}/trash/**', body: 'xml' },
  { methods: ['PROPFIND'], path: '/remote.php/dav/versions/{uid}/versions/*/**', body: 'xml' },
  { methods: ['GET'], path: '/remote.php/dav/versions/{uid}/versions/*/*', body: 'none' },
  {
    methods: ['GET'],
    path: SHARES,
    query: { ...JSON_FORMAT, path: 'path', reshares: FLAG, subfiles: FLAG, shared_with_me: FLAG },
    body: 'none',
  },
  { methods: ['GET'], path: `${SHARES}/inherited`, query: { ...JSON_FORMAT, path: 'path' }, body: 'none' },
];

/**
 * Each writing request belongs to the tools that are there for it, so that a bot's grant of one tool is not good for
 * what another does. Nothing here empties the trash or deletes in it: that would be final.
 */
const WRITE_FILES: readonly AllowedRequest[] = [
  { methods: ['PUT'], path: BELOW_FILES, tools: ['files_write', 'files_append'], body: 'file' },
  { methods: ['MKCOL'], path: BELOW_FILES, tools: ['files_mkdir'], body: 'none' },
  { methods: ['DELETE'], path: BELOW_FILES, tools: ['files_delete'], body: 'none' },
  { methods: ['MOVE'], path: BELOW_FILES, tools: ['files_move'], destination: BELOW_FILES, body: 'none' },
  { methods: ['COPY'], path: BELOW_FILES, tools: ['files_copy'], destination: BELOW_FILES, body: 'none' },
  {
    methods: ['MOVE'],
    path: '/remote.php/dav/trashbin/{uid}/trash/*/**',
    tools: ['files_restore'],
    destination: '/remote.php/dav/trashbin/{uid}/restore/*',
    body: 'none',
  },
  {
    methods: ['MOVE'],
    path: '/remote.php/dav/versions/{uid}/versions/*/*',
    tools: ['files_restore_version'],
    destination: '/remote.php/dav/versions/{uid}/restore/target',
    body: 'none',
  },
];

/** Whose tool is whose, and which requests to Nextcloud each family of tools may make. */
export const FAMILIES: Readonly<Record<FamilyName, Family>> = {
  files: {
    toolPrefixes: ['files_', 'shares_'],
    requests: [...READ_FILES, ...WRITE_FILES, ...ABOUT_SERVER_AND_SELF],
  },
};

export const ownsTool = (family: FamilyName, tool: string): boolean =>
  FAMILIES[family].toolPrefixes.some((prefix) => tool.startsWith(prefix));
