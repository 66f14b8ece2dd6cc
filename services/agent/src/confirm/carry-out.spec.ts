import { newContext, BUS_ERRORS, BusError } from '@nuqloud/messaging';
import type { ApprovedAction, ToolCallContext } from '@nuqloud/contracts';
import { createLogger } from '@nuqloud/platform';
import type { TurnWork } from '../answer-message/turn-work';
import type { Confirmations } from '../ports/confirmations';
import type { ToolCalls } from '../ports/tool-calls';
import { CarryOut } from './carry-out';
import type { MayUse } from './may-use';

const CONFIRMATION = '00000000-0000-4000-8000-000000000001';
const APPROVED = {
  ...{ n: 1, title: 'Send it', state: 'approved', grant: 'grant' },
  action: { provider: 'acme', tool: 'acme_send', arguments: {} },
} as unknown as ApprovedAction;

/** Somebody approved what a third party's tool shall do, and that tool answers so. */
const carryOut = async (run: ToolCalls['run'], assigned = true) => {
  const told: unknown[] = [];
  const confirmations = {
    claim: () => Promise.resolve('claim'),
    settle: (...[claim, outcome]: Parameters<Confirmations['settle']>) => {
      told.push([claim, outcome]);
      return Promise.resolve();
    },
    judge: () => Promise.reject(new Error('not asked')),
  } as unknown as Confirmations;
  const work = {
    event: { kind: 'message', attestation: 'a', text: 'yes' },
    answer: { verdict: 'approved', confirmation: CONFIRMATION, actions: [APPROVED] },
    signal: new AbortController().signal,
  } as unknown as TurnWork;
  const carrying = {
    ...{ work, confirmation: CONFIRMATION, context: { language: 'en' } as ToolCallContext },
    ...{ message: newContext(Date.now() + 60_000), mayGoOn: () => Promise.resolve() },
  };
  const logger = createLogger({ service: 'agent', level: 'silent' });
  const calls = { run } as ToolCalls;
  const mayUse = { mayUse: () => Promise.resolve(assigned) } as unknown as MayUse;
  return { reports: await new CarryOut(confirmations, calls, mayUse, new Set(), logger).run(carrying), told };
};

it('tells what a third party did, and settles it the same', async () => {
  const result = { content: [{ type: 'text' as const, text: 'sent' }], isError: false };
  const { reports, told } = await carryOut(() => Promise.resolve({ v: 1, result }));
  expect(reports).toMatchObject([{ n: 1, title: 'Send it', state: 'done', text: 'sent' }]);
  expect(told).toEqual([['claim', { state: 'done', text: 'sent' }]]);
});

it('settles as not done what a third party was not there to do', async () => {
  const { reports, told } = await carryOut(() =>
    Promise.reject(new BusError(BUS_ERRORS.NO_RESPONDERS, 'Nobody answers.')),
  );
  const text = 'The service of this tool is away; nothing was done.';
  expect(reports).toMatchObject([{ state: 'failed', text }]);
  expect(told).toEqual([['claim', { state: 'failed', text }]]);
});

it('does nothing with a tool that was taken from the bot since the question, and says so', async () => {
  const calls: string[] = [];
  const { reports, told } = await carryOut(() => Promise.reject(new Error(String(calls.push('run')))), false);
  const text = 'Since I asked you, an administrator has taken acme_send from me.';
  expect(reports).toEqual([{ n: 1, title: 'Send it', state: 'failed', text }]);
  expect([told, calls]).toEqual([[], []]);
});
