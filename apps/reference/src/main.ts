import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REFERENCE_FOLDER, renderDocuments } from './render-documents';

mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const [name, text] of renderDocuments()) {
  writeFileSync(path.join(REFERENCE_FOLDER, name), text);
  process.stdout.write(`Wrote docs/reference/${name}\n`);
}
