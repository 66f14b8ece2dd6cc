import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEMO_TEAM_FILE, parseJsonFixture } from './read-fixture';
import type { EmulatorOptions } from './start-emulator';
import { InvalidFixture } from './world/fixture';

const USAGE = `Usage: emulator [--port 8090] [--host 127.0.0.1] [--fixture FILE] [--web-root /nextcloud] [--public-url URL] [--notice TEXT]`;
const DEFAULT_PORT = '8090';

/** What is wrong with the call; the message is all that the user needs. */
export class BadUsage extends Error {
  override readonly name = 'BadUsage';
}

/** Reads the command line. @throws {BadUsage} */
export function readOptions(args: string[]): EmulatorOptions {
  const { values } = parseOptions(args);
  const port = values.port;
  if (!/^\d+$/.test(port) || Number(port) > 65_535) {
    throw new BadUsage(`--port has to be a number from 0 to 65535, got "${port}"`);
  }
  const webRoot = values['web-root'];
  if (webRoot !== '' && !/^(\/[\w.-]+)+\/?$/.test(webRoot)) {
    throw new BadUsage(`--web-root has to be a path such as /nextcloud, got "${webRoot}"`);
  }
  const publicUrl = values['public-url'];
  return {
    host: values.host,
    port: Number(port),
    webRoot,
    notice: values.notice,
    fixture: readFixtureFile(values.fixture),
    ...(publicUrl !== undefined && { publicUrl }),
  };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string', default: DEFAULT_PORT },
        host: { type: 'string', default: '127.0.0.1' },
        fixture: { type: 'string', default: DEMO_TEAM_FILE },
        'web-root': { type: 'string', default: '' },
        'public-url': { type: 'string' },
        notice: { type: 'string', default: '' },
      },
    });
  } catch (error) {
    throw new BadUsage(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function readFixtureFile(file: string) {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadUsage(`Cannot read the fixture: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return parseJsonFixture(source);
  } catch (error) {
    if (error instanceof InvalidFixture)
      throw new BadUsage(`The fixture ${file} cannot be used:\n${error.message}`);
    throw error;
  }
}
