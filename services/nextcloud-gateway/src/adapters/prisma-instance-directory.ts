import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { GatewayInstance, PrismaClient } from '@nuqloud/database';
import type { RowSecrets } from '@nuqloud/platform';
import type { AppApi } from '../domain/appapi-headers';
import { parseBaseUrl } from '../domain/base-url';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Instance } from '../domain/instance';
import { InstanceDirectory } from '../ports/instance-directory';
import type { RegisteredApps } from '../ports/registered-apps';
import { fromStore } from './from-store';

/** Reads the row each time, so that every replica knows of a change at once. */
export class PrismaInstanceDirectory extends InstanceDirectory implements RegisteredApps {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly secrets: Pick<RowSecrets, 'open'>,
  ) {
    super();
  }

  override async ids(): Promise<string[]> {
    const rows = await fromStore(
      this.prisma.gatewayInstance.findMany({ select: { id: true }, orderBy: { id: 'asc' } }),
    );
    return rows.map(({ id }) => id);
  }

  override async get(id: string): Promise<Instance> {
    const row = await fromStore(this.prisma.gatewayInstance.findUnique({ where: { id } }));
    if (!row) {
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.UNKNOWN_INSTANCE,
        `There is no instance ${id}; the provision file names those that are served.`,
      );
    }
    return this.instanceOf(row);
  }

  async withAppId(appId: string): Promise<Instance[]> {
    const rows = await fromStore(this.prisma.gatewayInstance.findMany({ where: { appId } }));
    return rows.map((row) => this.instanceOf(row));
  }

  private instanceOf(row: GatewayInstance): Instance {
    const { id, url, historyReader } = row;
    return {
      id,
      baseUrl: parseBaseUrl(url),
      appApi: this.appApiOf(row),
      ...(historyReader !== null && { historyReader }),
    };
  }

  private appApiOf({ id, appId, appVersion, sealedSecret }: GatewayInstance): AppApi | null {
    if (appId === null || appVersion === null || sealedSecret === null) return null;
    return { id: appId, version: appVersion, secret: this.secrets.open(id, sealedSecret) };
  }
}
