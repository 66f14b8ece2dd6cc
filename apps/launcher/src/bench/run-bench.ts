import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import path from 'node:path';
import { SERVICES } from '@nuqloud/contracts';
import type { ServiceName } from '@nuqloud/contracts';
import { Closing } from '@nuqloud/platform';
import type { ChatRequest } from '@nuqloud/testing';
import { startDemo } from '../demo/start-demo';
import type { Demo } from '../demo/start-demo';
import { ROOT } from '../product/product-process';
import { measureBus } from './measure-bus';
import { ChatBench } from './measure-chat';
import { measureConfirmation } from './measure-confirmation';
import { measureHello } from './measure-hello';
import { measureLoad } from './measure-load';
import { measureApart, measureTogether } from './measure-process';
import type { Figure } from './measure';

interface Benchmark {
  /** Services that are not to run in the all-in-one. */
  readonly apart: readonly ServiceName[];
  /** @param sent what the model has been sent so far */
  readonly measure: (demo: Demo, sent: readonly ChatRequest[]) => Promise<Figure[]>;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  together: { apart: [], measure: measureTogether },
  apart: { apart: SERVICES, measure: measureApart },
  acknowledge: { apart: [], measure: (demo) => new ChatBench(demo).acknowledgements() },
  answer: { apart: [], measure: (demo) => new ChatBench(demo).answers() },
  confirm: { apart: [], measure: measureConfirmation },
  load: { apart: [], measure: measureLoad },
  hello: { apart: [], measure: measureHello },
  // Measured with tools of its own, so nobody else may answer for them.
  bus: { apart: ['tool-files'], measure: (demo) => measureBus(demo.natsUrl, demo.keysDir) },
};

/** Runs all benchmarks, or the one named, against the demo's whole system on this machine. */
export const runBench = async (
  name: string | undefined,
  dataDir: string,
  print: (line: string) => void,
  say: (line: string) => void,
  closing: Closing,
): Promise<number> => {
  if (name !== undefined && !Object.hasOwn(BENCHMARKS, name)) {
    say(`There is no benchmark "${name}". There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
    return 2;
  }
  const figures: Figure[] = [];
  for (const [benchmark, { apart, measure }] of Object.entries(BENCHMARKS)) {
    if (name !== undefined && name !== benchmark) continue;
    const ending = closing.add(new Closing(), (running) => running.close());
    const sent: ChatRequest[] = [];
    const watchModel = (request: ChatRequest) => void sent.push(request);
    const demo = await startDemo({ dataDir, port: 0, apart, say, watchModel }, ending);
    say(`Measuring: ${benchmark}`);
    figures.push(...(await measure(demo, sent)));
    await ending.close();
  }
  const folder = path.join(ROOT, 'bench/results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'latest.json'), `${JSON.stringify(figures, null, 2)}\n`);
  print(
    `${type()} ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}\n`,
  );
  for (const figure of figures) print(line(figure));
  return 0;
};

const line = ({ name, value, unit, against }: Figure): string =>
  `${name.padEnd(56)} ${String(value).padStart(8)} ${unit.padEnd(6)}${against ? ` (${against.name} ${against.value})` : ''}`;
