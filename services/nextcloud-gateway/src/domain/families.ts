import type { CORE_PROVIDERS, CoreToolService } from '@nuqloud/contracts';

export type FamilyName = (typeof CORE_PROVIDERS)[CoreToolService];

/** A kind of request to Nextcloud that a family may make; everything not listed is refused. */
export interface AllowedRequest {
  readonly methods: readonly string[];
  /**
   * Path below Nextcloud's base URL, compared literally. `{uid}` is the acting person's id; a last `**`
   * stands for any further segments, also none. It is what the log shows instead of the real path.
   */
  readonly path: string;
  /** Query strings allowed besides none, compared literally. */
  readonly queries?: readonly string[];
  /** `stream` hands a body on untouched; `search` reads it and checks whose files it is about. */
  readonly body: 'none' | 'stream' | 'search';
}

export interface Family {
  /** How the names of its tools begin. */
  readonly toolPrefixes: readonly string[];
  readonly requests: readonly AllowedRequest[];
}

const JSON_FORMAT = ['format=json'];

/** Asked by every family's client: what the server can do, and who the person is. */
const ABOUT_SERVER_AND_SELF: readonly AllowedRequest[] = [
  { methods: ['GET'], path: '/ocs/v2.php/cloud/capabilities', queries: JSON_FORMAT, body: 'none' },
  { methods: ['GET'], path: '/ocs/v2.php/cloud/user', queries: JSON_FORMAT, body: 'none' },
];

/** Whose tool is whose, and which requests to Nextcloud each family of tools may make. */
export const FAMILIES: Readonly<Record<FamilyName, Family>> = {
  files: {
    toolPrefixes: ['files_', 'shares_'],
    requests: [
      { methods: ['PROPFIND'], path: '/remote.php/dav/files/{uid}/**', body: 'stream' },
      { methods: ['GET', 'HEAD'], path: '/remote.php/dav/files/{uid}/**', body: 'none' },
      { methods: ['SEARCH'], path: '/remote.php/dav/', body: 'search' },
      ...ABOUT_SERVER_AND_SELF,
    ],
  },
};

export const ownsTool = (family: FamilyName, tool: string): boolean =>
  FAMILIES[family].toolPrefixes.some((prefix) => tool.startsWith(prefix));
