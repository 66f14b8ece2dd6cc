import { parseArgs } from 'node:util';

import { DEMO_MODEL_ID, startDemoModel } from './demo-model';

/** Runs the demo's model alone: `node libs/testing/dist/model/main.js [--port 8091]`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('--port must be a number from 0 to 65535.');
  const model = await startDemoModel({ port });
  process.stdout.write(`${DEMO_MODEL_ID} (a script, not a language model) listens on ${model.baseUrl}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void model.stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
