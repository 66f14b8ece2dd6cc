import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../demo/start-demo';
import { rounded } from './measure';
import type { Figure } from './measure';

const IDLE_MS = 10_000;

/** Start-up time and idle memory of the all-in-one and of a service without a database. Linux only: it reads /proc. */
export const measureProcesses = async (demo: Demo): Promise<Figure[]> => {
  const toolFiles = await demo.startToolFiles();
  await sleep(IDLE_MS);
  const figures: Figure[] = [
    {
      name: 'all-in-one: ready after its stores',
      value: rounded(demo.readyAfterMs / 1000),
      unit: 's',
      against: { name: 'at most', value: 3 },
    },
    {
      name: 'all-in-one: resident memory, idle',
      value: residentMb(demo.product.pid),
      unit: 'MB',
      against: { name: 'at most', value: 300 },
    },
    {
      name: 'tool-files alone: resident memory, idle',
      value: residentMb(toolFiles.pid),
      unit: 'MB',
      against: { name: 'at most', value: 110 },
    },
  ];
  await toolFiles.stop();
  return figures;
};

const residentMb = (pid: number | undefined): number => {
  const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};
