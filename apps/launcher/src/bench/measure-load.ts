import type { Demo } from '../demo/start-demo';
import { ManyRooms } from './many-rooms';
import type { LoadResult } from './many-rooms';
import { percentile, rounded } from './measure';
import type { Figure } from './measure';

const HELLO = 'nuq hello';
/** Answered by an instant model with one call of a tool, which asks Nextcloud once. */
const ONE_CALL = 'nuq list /';
const SUSTAINED_SECONDS = 20;
const PER_SECOND = 60;

/** Many rooms at once, everything (emulator, model, stores) on this one machine. */
export const measureLoad = async (demo: Demo): Promise<Figure[]> => {
  // A service has run for a while before most people write to it: the compiler has to be through.
  const warm = await ManyRooms.open(demo, 20);
  await warm.burst(20, ONE_CALL);
  const fifty = await (await ManyRooms.open(demo, 50)).burst(1, HELLO);
  const many = await (await ManyRooms.open(demo, 20)).burst(10, HELLO);
  const paced = await (await ManyRooms.open(demo, 60)).pace(PER_SECOND, SUSTAINED_SECONDS, ONE_CALL);
  const most = await (await ManyRooms.open(demo, 50)).burst(24, ONE_CALL);
  return [
    lastAnswer('50 rooms at once', fifty, 1_500),
    ...complete('50 rooms at once', fifty),
    lastAnswer('200 messages over 20 rooms', many),
    ...complete('200 messages over 20 rooms', many),
    ...quickness(`${PER_SECOND} messages/s with one tool call each`, paced, 1_000),
    ...complete(`${PER_SECOND} messages/s with one tool call each`, paced),
    {
      name: '50 rooms never silent, one tool call each: answers',
      value: rounded(most.latencies.length / (most.totalMs / 1000)),
      unit: '1/s',
      against: { name: 'at least', value: PER_SECOND },
    },
    ...complete('50 rooms never silent, one tool call each', most),
  ];
};

const lastAnswer = (name: string, { totalMs }: LoadResult, limit?: number): Figure => ({
  name: `${name}: last answer`,
  value: totalMs,
  unit: 'ms',
  ...(limit !== undefined && { against: { name: 'at most', value: limit } }),
});

const quickness = (name: string, { latencies }: LoadResult, limit?: number): Figure[] => [
  { name: `${name}: p50`, value: percentile(latencies, 0.5), unit: 'ms' },
  {
    name: `${name}: p99`,
    value: percentile(latencies, 0.99),
    unit: 'ms',
    ...(limit !== undefined && { against: { name: 'at most', value: limit } }),
  },
];

const complete = (name: string, { lost, disordered }: LoadResult): Figure[] => [
  { name: `${name}: lost`, value: lost, unit: '', against: { name: 'at most', value: 0 } },
  {
    name: `${name}: rooms out of order`,
    value: disordered,
    unit: '',
    against: { name: 'at most', value: 0 },
  },
];
