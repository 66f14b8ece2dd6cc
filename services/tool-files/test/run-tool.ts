import type { ResourceScope } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import type { FilesCall } from '../src/call/files-call';
import { allowedBy } from '../src/call/require-allowed';
import { PersonClock } from '../src/domain/person-clock';
import { FILES_TOOLS } from '../src/index';
import type { FakeFiles } from './fake-files';

export interface RunOptions {
  readonly scope?: ResourceScope;
  readonly zone?: string | null;
}

const untouched = (): never => {
  throw new Error('a tool that reads has asked for something else');
};

/** What the reading tools have no business with. */
const NOTHING_ELSE: Pick<
  FilesCall,
  'writer' | 'trash' | 'versions' | 'server' | 'taint' | 'identity' | 'resolve'
> = {
  writer: { create: untouched, replace: untouched, makeFolder: untouched, remove: untouched },
  trash: { items: untouched, find: untouched, restore: untouched },
  versions: { list: untouched, restore: untouched },
  server: { keeping: untouched },
  taint: [],
  resolve: untouched,
  identity: () => Promise.resolve({ mode: 'user', profile: null, uid: 'alice' }),
};

/** What a reading tool answers with. @throws what the tool throws */
export const answerOf = async (
  files: FakeFiles,
  name: string,
  args: unknown,
  { scope, zone = 'Europe/Berlin' }: RunOptions = {},
): Promise<ToolAnswer> => {
  const tool = FILES_TOOLS.find(({ definition }) => definition.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  const call: FilesCall = {
    ...NOTHING_ELSE,
    files,
    shares: { of: (path) => files.sharesOf(path) },
    allowed: allowedBy(scope),
    clock: new PersonClock(zone),
  };
  return (await tool.prepare(args).plan(call)).act();
};

export const runTool = async (...call: Parameters<typeof answerOf>): Promise<string> =>
  (await answerOf(...call)).text;

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
