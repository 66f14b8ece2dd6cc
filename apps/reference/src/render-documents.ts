import path from 'node:path';
import { asyncApiDocument } from './documents/asyncapi.document';
import { busPermissionsDocument } from './documents/bus-permissions.document';
import { configurationDocument } from './documents/configuration.document';
import { httpDocument } from './documents/http.document';
import { messagesDocument } from './documents/messages.document';
import { readSources } from './documents/reference-sources';

const ROOT = path.resolve(__dirname, '../../..');

/** Where the documents stand. */
export const REFERENCE_FOLDER = path.join(ROOT, 'docs/reference');

/** Every generated document by its file name, as it has to stand there. */
export const renderDocuments = (): ReadonlyMap<string, string> => {
  const sources = readSources(
    ['libs/contracts/src', 'libs/messaging/src'].map((folder) => path.join(ROOT, folder)),
  );
  return new Map([
    ['asyncapi.yaml', asyncApiDocument(sources)],
    ['bus-permissions.md', busPermissionsDocument()],
    [
      'configuration.md',
      configurationDocument(sources, path.join(ROOT, 'apps/launcher/provision/stack.yaml')),
    ],
    ['http.md', httpDocument(sources)],
    ['messages.md', messagesDocument(sources)],
  ]);
};
