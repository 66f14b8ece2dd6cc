import { randomBytes } from 'node:crypto';
import {
  ReadAppState,
  RegisterAppBot,
  ReportAppProgress,
  UnregisterAppBot,
  VerifyAppLogin,
} from '@nuqloud/contracts';
import type { AppLoginVerdict } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { appLoginProof, OneReader } from '@nuqloud/platform';
import { AppGateway } from '../ports/app-gateway';

const NONCE_BYTES = 32;

/** nextcloud-gateway over the bus, which no secret enters: logins go as proofs, the bot's secret comes encrypted. */
export class BusAppGateway extends AppGateway {
  constructor(private readonly bus: Bus) {
    super();
  }

  verify({
    appId,
    version,
    secret,
  }: {
    appId: string;
    version: string;
    secret: string;
  }): Promise<AppLoginVerdict> {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const proof = appLoginProof(secret, nonce);
    return this.bus.request(VerifyAppLogin, {}, { v: 1, appId, version, nonce, proof });
  }

  async isEnabled(instance: string): Promise<boolean> {
    return (await this.bus.request(ReadAppState, {}, { v: 1, instance })).enabled;
  }

  async reportProgress(instance: string, progress: number): Promise<void> {
    await this.bus.request(ReportAppProgress, {}, { v: 1, instance, progress });
  }

  async registerBot(instance: string, bot: { name: string; description: string }): Promise<string> {
    const reader = await OneReader.make();
    const request = { v: 1, instance, ...bot, replyKey: reader.publicKey } as const;
    return reader.open((await this.bus.request(RegisterAppBot, {}, request)).sealedSecret);
  }

  async unregisterBot(instance: string): Promise<void> {
    await this.bus.request(UnregisterAppBot, {}, { v: 1, instance });
  }
}
