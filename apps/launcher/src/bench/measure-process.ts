import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_SERVICES, SERVICES } from '@nuqloud/contracts';
import type { Demo } from '../demo/start-demo';
import { rounded } from './measure';
import type { Figure } from './measure';

const IDLE_MS = 10_000;

/** Start-up time and idle memory of the all-in-one. Linux only: it reads /proc. */
export const measureTogether = async (demo: Demo): Promise<Figure[]> => {
  await sleep(IDLE_MS);
  const memory = residentMb(demo.product.pid);
  return [
    {
      name: 'all-in-one: ready after its stores',
      value: rounded(demo.readyAfterMs / 1000),
      unit: 's',
      against: { name: 'at most', value: 3 },
    },
    {
      name: 'all-in-one: resident memory, idle',
      value: memory,
      unit: 'MB',
      against: { name: 'at most', value: 300 },
    },
  ];
};

const LIMIT_WITH_DATABASE_MB = 180;
const LIMIT_MB = 110;

/** Idle memory of every service as a process of its own. */
export const measureApart = async (demo: Demo): Promise<Figure[]> => {
  const services = [];
  for (const name of SERVICES) services.push({ name, process: await demo.startService(name) });
  await sleep(IDLE_MS);
  return services.map(({ name, process: { pid } }) => {
    const limit = DATABASE_SERVICES.some((service) => service === name) ? LIMIT_WITH_DATABASE_MB : LIMIT_MB;
    return {
      name: `${name} alone: resident memory, idle`,
      value: residentMb(pid),
      unit: 'MB',
      against: { name: 'at most', value: limit },
    };
  });
};

const residentMb = (pid: number | undefined): number => {
  const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};
