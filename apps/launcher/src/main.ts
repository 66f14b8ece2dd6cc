import { parseArgs } from 'node:util';
import { Environment } from '@nuqloud/contracts';
import { Closing, parseEnvironment } from '@nuqloud/platform';
import { runBench } from './bench/run-bench';
import { startDemo } from './demo/start-demo';
import { startStack } from './stack/start-stack';
import { playTranscript } from './transcript/play-transcript';

const USAGE = `Usage: launcher <command>
  demo [--port 8090]   the whole system with the emulator and a scripted model; Ctrl-C stops it
  demo --transcript    plays the built-in conversations and checks every step
  stack                the product alone, against the Nextcloud and model named in the environment
  bench [NAME]         measures the whole system on this machine`;

const print = (line: string): void => console.log(line);
const say = (line: string): void => console.error(`· ${line}`);

const demo = async (dataDir: string, port: number, closing: Closing): Promise<number> => {
  const running = await startDemo({ dataDir, port, apart: [], say }, closing);
  print(`
NuQloud-AI is running, with an emulated Nextcloud and a scripted model.

  Open   ${running.url}/
  Write  "nuq help", "nuq list /Docs" or "nuq read /Docs/plan.md" as Alice in the room Team

Its log: ${running.logFile}. Ctrl-C stops everything.
`);
  return running.product.exit();
};

const stack = async (dataDir: string, closing: Closing): Promise<number> => {
  const product = await startStack(process.env, dataDir, say, closing);
  say('NuQloud-AI is running. Ctrl-C stops it.');
  return product.exit();
};

const run = async (closing: Closing): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { transcript: { type: 'boolean', default: false }, port: { type: 'string', default: '8090' } },
  });
  const { DATA_DIR: dataDir } = parseEnvironment(Environment.pick({ DATA_DIR: true }), process.env);
  switch (positionals[0]) {
    case 'demo':
      if (values.transcript) return (await playTranscript(dataDir, print, say, closing)) ? 0 : 1;
      return demo(dataDir, portOf(values.port), closing);
    case 'bench':
      return runBench(positionals[1], dataDir, print, say, closing);
    case 'stack':
      return stack(dataDir, closing);
    default:
      console.error(USAGE);
      return 2;
  }
};

const portOf = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error('--port must be a number from 0 to 65535.');
};

const main = async (): Promise<void> => {
  const closing = new Closing();
  const interrupted = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(130));
    process.once('SIGTERM', () => resolve(143));
  });
  let code: number;
  try {
    code = await Promise.race([run(closing), interrupted]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    code = 1;
  }
  say('Stopping');
  await closing.close();
  process.exit(code === 130 || code === 143 ? 0 : code);
};

void main();
