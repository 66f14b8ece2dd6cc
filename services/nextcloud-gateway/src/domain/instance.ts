import type { AppApi } from './appapi-headers';
import type { BaseUrl } from './base-url';

/** A Nextcloud that this installation serves. */
export interface Instance {
  readonly id: string;
  readonly baseUrl: BaseUrl;
  /** Null where nobody can act: the instance is known for its rooms only. */
  readonly appApi: AppApi | null;
  /** Account through which rooms are read; without it nobody reads them. */
  readonly historyReader?: string;
}
