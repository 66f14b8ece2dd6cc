/**
 * The world: everything this stand-in for Nextcloud knows, as plain data in memory. Routes read and change it
 * through the functions beside this file; a reset replaces it as a whole.
 */

/** Who wrote or did something, e.g. `users/alice` or `federated_users/bob@other.example.org`. The id may hold slashes. */
export interface Actor {
  readonly type: string;
  readonly id: string;
}

export interface User {
  readonly id: string;
  readonly displayName: string;
  readonly email: string | null;
  /** Null: nobody can log in with a password. */
  readonly password: string | null;
  readonly language: string;
  readonly timezone: string;
  readonly groups: readonly string[];
}

export const BOT_FEATURES = { webhook: 1, response: 2, event: 4, reaction: 8 } as const;
export type BotFeature = keyof typeof BOT_FEATURES;

/** 0 disabled, 1 enabled, 2 enabled but moderators can neither add nor remove it. */
export type BotState = 0 | 1 | 2;

export interface Bot {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly url: string;
  readonly features: ReadonlySet<BotFeature>;
  readonly state: BotState;
  errorCount: number;
  lastErrorAt: number | null;
  lastErrorMessage: string | null;
}

export const ROOM_TYPES = {
  one2one: 1,
  group: 2,
  public: 3,
  changelog: 4,
  former: 5,
  note_to_self: 6,
} as const;
export type RoomType = keyof typeof ROOM_TYPES;

/** 1 owner, 2 moderator, 3 user, 4 guest, 5 user through a public link, 6 guest moderator. */
export type ParticipantType = 1 | 2 | 3 | 4 | 5 | 6;

export interface Member {
  readonly attendeeId: number;
  readonly actor: Actor;
  displayName: string;
  readonly participantType: ParticipantType;
}

export interface Reaction {
  readonly emoji: string;
  readonly actor: Actor;
  readonly actorName: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** The message of the history that records this reaction. */
  readonly entryId: number;
}

/** A file as it was when it was shared into a room. */
export interface SharedFile {
  readonly id: number;
  readonly ownerId: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly mimetype: string;
  readonly etag: string;
}

export interface Message {
  readonly id: number;
  readonly actor: Actor;
  readonly actorName: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** As typed; of a system message the template, e.g. `{actor} deleted a message`. */
  text: string;
  /** Empty for what people and bots wrote, else Talk's identifier, e.g. `message_deleted`. */
  systemMessage: string;
  readonly file: SharedFile | null;
  readonly parentId: number | null;
  /** The thread that somebody opened and this stands in; ordinary replies open none. */
  readonly threadId: number | null;
  readonly referenceId: string;
  readonly silent: boolean;
  readonly reactions: Reaction[];
  edit: { readonly actor: Actor; readonly actorName: string; readonly at: number } | null;
  deleted: boolean;
}

export interface Room {
  readonly id: number;
  readonly token: string;
  readonly name: string;
  readonly type: RoomType;
  readonly members: Member[];
  readonly botIds: Set<number>;
  readonly messages: Message[];
}

export interface FileNode {
  readonly kind: 'file';
  readonly id: number;
  readonly name: string;
  readonly ownerId: string;
  readonly content: Buffer;
  readonly mimetype: string;
  /** Seconds since 1970. */
  readonly modifiedAt: number;
  readonly etag: string;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly id: number;
  readonly name: string;
  readonly ownerId: string;
  readonly children: Map<string, FileNode | FolderNode>;
  modifiedAt: number;
  etag: string;
}

export type TreeNode = FileNode | FolderNode;

/** The one external app that may log in through AppAPI. */
export interface ExApp {
  readonly id: string;
  readonly secret: string;
  version: string;
  readonly enabled: boolean;
}

export interface InstalledVersions {
  /** e.g. `32.0.1` */
  readonly nextcloud: string;
  /** Version of the app "spreed", e.g. `22.0.1` */
  readonly talk: string;
  readonly apps: ReadonlySet<string>;
}

/** Parts of a fixture whose behaviour is not built yet: kept, but served by no route. */
export interface UnservedParts {
  readonly shares: readonly unknown[];
  readonly calendars: readonly unknown[];
  readonly groupFolders: readonly unknown[];
  readonly locks: readonly unknown[];
  readonly boards: readonly unknown[];
  readonly collectives: readonly unknown[];
  readonly bridges: readonly unknown[];
}

export interface World {
  /** Nextcloud's own id, the tail of every `OC-FileId`. */
  readonly instanceId: string;
  versions: InstalledVersions;
  readonly users: ReadonlyMap<string, User>;
  readonly exApp: ExApp | null;
  readonly bots: readonly Bot[];
  readonly rooms: ReadonlyMap<string, Room>;
  /** The root folder of each user. */
  readonly files: ReadonlyMap<string, FolderNode>;
  /** Bytes by user; a user without an entry has no limit. */
  readonly quotas: ReadonlyMap<string, number>;
  readonly unserved: UnservedParts;
  /** Last id given to a message, and to a file or folder. */
  lastMessageId: number;
  lastFileId: number;
}

/** The major number of a version such as `32.0.1`. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** Whether this Nextcloud has at least that major number. */
export function isAtLeast(versions: InstalledVersions, nextcloudMajor: number): boolean {
  return majorOf(versions.nextcloud) >= nextcloudMajor;
}
