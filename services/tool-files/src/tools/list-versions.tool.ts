import { readToolPolicy } from '@nuqloud/contracts';
import { defineTool, ToolFailure } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import { earlierVersions } from '../call/earlier-versions';
import type { FilesCall } from '../call/files-call';
import { lookAtExisting } from '../call/look-at';
import { showName, showSize } from '../domain/show-file';
import { pathArgument } from './path-argument';

const SHOWN = 100;

export const listVersions = defineTool({
  name: 'files_versions',
  description: 'Lists earlier versions of a file, the latest first.',
  label: 'List earlier versions',
  summary: 'Shows earlier versions of a file.',
  policy: readToolPolicy(),
  arguments: z.strictObject({ path: pathArgument('File') }),
  run: async ({ path }, call: FilesCall) => {
    const { entry } = await lookAtExisting(call, path);
    if (entry.kind === 'folder') throw new ToolFailure(`"${path}" is a folder; only files have versions.`);
    const versions = await earlierVersions(call, entry);
    const name = showName(path);
    if (versions.length === 0) return { text: `No earlier version of "${name}" is kept.` };
    const lines = versions
      .slice(0, SHOWN)
      .map(({ id, at, size }) => `version ${id} | ${call.clock.show(at)} | ${showSize(size)}`);
    const now = `now: ${call.clock.show(entry.modifiedAt)} | ${showSize(entry.size)}`;
    return {
      text: [
        `"${name}": ${versions.length} earlier versions; times in ${call.clock.zone}`,
        now,
        ...lines,
      ].join('\n'),
    };
  },
});
