import {
  FilesClient,
  FilesWriter,
  GatewayClient,
  ServerClient,
  SharesClient,
  TrashClient,
  VersionsClient,
} from '@nuqloud/nextcloud';
import type { TokenSigner } from '@nuqloud/platform';
import type { VerifiedCall } from '@nuqloud/tool-sdk';
import { PersonClock } from '../domain/person-clock';
import type { FilesCall } from './files-call';
import { allowedBy } from './require-allowed';

/** @throws ToolFailure where the call's scope cannot be understood */
export const createFilesCall =
  (gatewayUrl: string, signer: TokenSigner) =>
  ({ tool, context, attestation, scope, taint, actAs, signal }: VerifiedCall): FilesCall => {
    const gateway = new GatewayClient({
      url: gatewayUrl,
      instance: context.instance,
      signer,
      attestation,
      tool,
      signal,
      actAs,
    });
    const files = new FilesClient(gateway);
    return {
      files,
      writer: new FilesWriter(gateway, files),
      trash: new TrashClient(gateway),
      versions: new VersionsClient(gateway),
      shares: new SharesClient(gateway),
      server: new ServerClient(gateway),
      allowed: allowedBy(scope),
      clock: new PersonClock(context.zone),
      taint,
      identity: () => gateway.identity(),
      resolve: () => gateway.resolve(),
    };
  };
