import type { ResourceScope } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { FilesCall } from '../src/call/files-call';
import { allowedBy } from '../src/call/require-allowed';
import { PersonClock } from '../src/domain/person-clock';
import { FILES_TOOLS } from '../src/index';
import type { FakeFiles } from './fake-files';

export interface RunOptions {
  readonly scope?: ResourceScope;
  readonly zone?: string | null;
}

/** The text a tool answers with. @throws what the tool throws */
export const runTool = async (
  files: FakeFiles,
  name: string,
  args: unknown,
  { scope, zone = 'Europe/Berlin' }: RunOptions = {},
): Promise<string> => {
  const tool = FILES_TOOLS.find(({ definition }) => definition.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  const call: FilesCall = {
    files,
    allowed: allowedBy(scope),
    clock: new PersonClock(zone),
    taint: [],
    identity: () => Promise.resolve({ mode: 'user', profile: null, uid: 'alice' }),
  };
  return (await (await tool.prepare(args).plan(call)).act()).text;
};

/** The sentence with which it refuses. */
export const refusalOf = async (work: Promise<string>): Promise<string> =>
  work.then(
    (text) => {
      throw new Error(`it answered: ${text}`);
    },
    (error: unknown) => {
      if (error instanceof AppError) return error.message;
      throw error;
    },
  );
