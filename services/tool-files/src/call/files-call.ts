import type {
  FilesClient,
  FilesWriter,
  ServerClient,
  SharesClient,
  TrashClient,
  VersionsClient,
} from '@nuqloud/nextcloud';
import type { ActingIdentity } from '@nuqloud/tool-sdk';
import type { AllowedFolders } from '../domain/allowed-folders';
import type { PersonClock } from '../domain/person-clock';

/** What these tools need of Nextcloud Files, as the person who asked. */
export type Files = Pick<FilesClient, 'stat' | 'list' | 'read' | 'pathById'>;

/** What each tool of this family gets with a call. */
export interface FilesCall {
  readonly files: Files;
  readonly writer: Pick<FilesWriter, 'create' | 'replace' | 'makeFolder' | 'remove'>;
  readonly trash: Pick<TrashClient, 'items' | 'find' | 'restore'>;
  readonly versions: Pick<VersionsClient, 'list' | 'restore'>;
  readonly shares: Pick<SharesClient, 'of'>;
  readonly server: Pick<ServerClient, 'keeping'>;
  readonly allowed: AllowedFolders;
  readonly clock: PersonClock;
  /** Whose words may have led the model here; empty where only the person's own can have. */
  readonly taint: readonly string[];
  /** As whom Nextcloud is asked. */
  identity(): Promise<ActingIdentity>;
  /** As whom the gateway lets it act now. */
  resolve(): Promise<ActingIdentity>;
}
