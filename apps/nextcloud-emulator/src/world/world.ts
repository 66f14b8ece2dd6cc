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
  name: string;
  description: string;
  secret: string;
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
  /** The thread that somebody opened and this stands in, by its first message; ordinary replies open none. */
  threadId: number | null;
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

/** An earlier content of a file; its name is the time at which that content was written. */
export interface FileVersion {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly content: Buffer;
}

/** A file or folder. The owner is that of its storage; a group folder belongs to nobody: `''`. */
interface Node {
  /** Stays the same when the node is moved, trashed and restored. */
  readonly id: number;
  name: string;
  ownerId: string;
  /** Null for the root of a storage, and for what lies in a trash bin. */
  parent: FolderNode | null;
  /** Seconds since 1970. */
  modifiedAt: number;
  etag: string;
}

export interface FileNode extends Node {
  readonly kind: 'file';
  content: Buffer;
  mimetype: string;
  /** The oldest first. */
  versions: FileVersion[];
}

export interface FolderNode extends Node {
  readonly kind: 'folder';
  readonly children: Map<string, TreeNode>;
}

export type TreeNode = FileNode | FolderNode;

/** Something deleted. */
export interface TrashItem {
  readonly node: TreeNode;
  /** Where it was in its storage, without a slash in front, e.g. `Docs/plan.md`. */
  readonly location: string;
  /** Seconds since 1970; with the name it identifies the item. */
  readonly deletedAt: number;
  readonly deletedBy: string;
}

/** Bits of what somebody may do with a file or folder. */
export const PERMISSION = { read: 1, update: 2, create: 4, delete: 8, share: 16, all: 31 } as const;

/** Kinds of shares by the number that the sharing API gives them. */
export const SHARE_TYPES = {
  user: 0,
  group: 1,
  link: 3,
  email: 4,
  federated: 6,
  team: 7,
  room: 10,
} as const;
export type ShareType = keyof typeof SHARE_TYPES;

export interface Share {
  readonly id: number;
  readonly ownerId: string;
  readonly node: TreeNode;
  readonly type: ShareType;
  /** The user, group, room, address …; empty for a link. */
  readonly with: string;
  readonly permissions: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Under which path each local recipient has it; who removed it from the own files is missing. */
  readonly targets: Map<string, string>;
}

export interface GroupFolder {
  readonly id: number;
  /** Path in the files of every member, e.g. `/Team`. */
  readonly mount: string;
  readonly groups: readonly string[];
  readonly root: FolderNode;
  readonly trash: TrashItem[];
}

/** The one external app that AppAPI knows. */
export interface ExApp {
  readonly id: string;
  readonly secret: string;
  /** Where it answers, without a slash at its end; null for the app of a fixture, which is never called. */
  readonly url: string | null;
  version: string;
  enabled: boolean;
  /** What it reported of its `/init`, 0 to 100; 100 once that is over. */
  progress: number;
  /** Why its `/init` or its enabling failed; empty where nothing did. */
  error: string;
  /** Talk's ids of the bots that it registered, by their route without a slash in front. */
  readonly talkBots: Map<string, number>;
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
  readonly calendars: readonly unknown[];
  readonly boards: readonly unknown[];
  readonly collectives: readonly unknown[];
  readonly bridges: readonly unknown[];
}

export interface World {
  /** Nextcloud's own id, the tail of every `OC-FileId`. */
  readonly instanceId: string;
  versions: InstalledVersions;
  readonly users: ReadonlyMap<string, User>;
  /** Null: nothing is installed. */
  exApp: ExApp | null;
  readonly bots: Bot[];
  readonly rooms: ReadonlyMap<string, Room>;
  /** The root folder of each user. */
  readonly files: ReadonlyMap<string, FolderNode>;
  /** Bytes by user; a user without an entry has no limit. */
  readonly quotas: ReadonlyMap<string, number>;
  /** What each user has deleted, the latest last. */
  readonly trash: ReadonlyMap<string, TrashItem[]>;
  readonly shares: Share[];
  readonly groupFolders: readonly GroupFolder[];
  /** The app that has a file open and locked, by the file's id. */
  readonly locks: ReadonlyMap<number, string>;
  readonly unserved: UnservedParts;
  /** Last id given to a message, and to a file or folder. */
  lastMessageId: number;
  lastFileId: number;
  /** Counts changes of files, so that no two ETags are alike. */
  lastChange: number;
}

/** The major number of a version such as `32.0.1`. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** Whether this Nextcloud has at least that major number. */
export function isAtLeast(versions: InstalledVersions, nextcloudMajor: number): boolean {
  return majorOf(versions.nextcloud) >= nextcloudMajor;
}
