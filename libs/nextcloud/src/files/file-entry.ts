/** What the acting person may do with a file or folder. */
export interface FileRights {
  readonly read: boolean;
  /** Change a file's content. */
  readonly write: boolean;
  /** Make files and folders inside a folder. */
  readonly create: boolean;
  readonly delete: boolean;
  /** Rename or move. */
  readonly move: boolean;
  readonly share: boolean;
}

/** Where a file really lies: `local` is the person's own space. */
export type FileMount = 'local' | 'shared' | 'group' | 'external' | 'collective' | 'other';

export type ShareKind = 'user' | 'group' | 'link' | 'email' | 'federated' | 'team' | 'room' | 'deck';

export interface FileLock {
  readonly by: 'user' | 'app' | 'client';
  /** Display name of a person, or id of an app such as `text`; null where the server does not say. */
  readonly holder: string | null;
}

/** A file or folder as the server describes it to the acting person; null is "not told". */
export interface FileEntry {
  /** Decoded, NFC; may hold characters that no request can name (old storages have such). */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly fileId: string | null;
  /** Bytes; of a folder with everything in it. */
  readonly size: number | null;
  /** Media type of a file, by its name. */
  readonly mimetype: string | null;
  readonly modifiedAt: Date | null;
  /** With its quotes. A folder's changes with anything below it. */
  readonly etag: string | null;
  readonly rights: FileRights;
  readonly mount: FileMount;
  /** The root of a share or storage: deleting it only removes it from this person's view. */
  readonly isMountRoot: boolean;
  /** An end-to-end encrypted folder. Says nothing about files: their flag means server-side encryption. */
  readonly isEncryptedFolder: boolean;
  readonly owner: { readonly id: string; readonly name: string } | null;
  /** With whom the acting person shares it. */
  readonly sharedWith: readonly ShareKind[];
  readonly lock: FileLock | null;
}
