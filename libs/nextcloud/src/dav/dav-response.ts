import type { ClarkName } from './dav-names';

/** A property's value: its text, and the elements inside it, for those that have any. */
export interface DavValue {
  readonly text: string;
  readonly elements: readonly { readonly name: ClarkName; readonly text: string }[];
}

/** One `d:response` of a multistatus. */
export interface DavResponse {
  /** As sent: absolute path with the server's own sub-folder, percent-encoded. */
  readonly href: string;
  /** Status of the whole resource, where the server gives one instead of properties. */
  readonly status: number | null;
  /**
   * The properties that the server has (propstat 2xx). A property that is missing here does
   * not exist; one that is there with an empty text is empty.
   */
  readonly properties: ReadonlyMap<ClarkName, DavValue>;
}
