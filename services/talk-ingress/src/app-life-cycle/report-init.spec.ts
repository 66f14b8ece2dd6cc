import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { AppError, createLogger } from '@nuqloud/platform';
import { eventually } from '@nuqloud/testing';
import { ReportInit } from './report-init';

const unreachable = new AppError(GATEWAY_REFUSALS.UNREACHABLE, 'away', { retryable: true });
const unknown = new AppError(GATEWAY_REFUSALS.OUTCOME_UNKNOWN, 'no answer');
const refused = new AppError(GATEWAY_REFUSALS.CREDENTIALS_REFUSED, 'refused');

const started: ReportInit[] = [];
afterEach(() => Promise.all(started.splice(0).map((reports) => reports.stop())));

/** @param failures of the reports, one after another; then they succeed */
const setUp = (failures: AppError[], isEnabled = false) => {
  const due = new Set<string>();
  const reported: number[] = [];
  const gateway = {
    reportProgress: (_instance: string, progress: number) => {
      reported.push(progress);
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    },
    isEnabled: () => Promise.resolve(isEnabled),
  };
  const store = {
    all: () =>
      Promise.resolve(
        [...due].map((instance) => ({ instance, bot: null, sealedSecret: null, initDue: true })),
      ),
    setInitDue: (instance: string, isDue: boolean) => {
      if (isDue) due.add(instance);
      else due.delete(instance);
      return Promise.resolve();
    },
  };
  const reports = new ReportInit(gateway, store, createLogger({ service: 'test', level: 'silent' }), 1);
  started.push(reports);
  return { reports, reported, due };
};

const settled = (due: Set<string>) => eventually(() => due.size === 0, { describe: 'the report' });

describe('ReportInit', () => {
  it('reports 100 percent, again and again until Nextcloud has heard it', async () => {
    const { reports, reported, due } = setUp([unreachable, unreachable]);
    await reports.take('default');
    await settled(due);
    expect(reported).toEqual([100, 100, 100]);
  });

  it('takes an app that is enabled as the answer that was lost', async () => {
    const { reports, reported, due } = setUp([unknown], true);
    await reports.take('default');
    await settled(due);
    expect(reported).toEqual([100]);
  });

  it('reports again when an answer was lost and the app is not enabled', async () => {
    const { reports, reported, due } = setUp([unknown], false);
    await reports.take('default');
    await settled(due);
    expect(reported).toEqual([100, 100]);
  });

  it('ends where Nextcloud waits for no report', async () => {
    const { reports, reported, due } = setUp([refused]);
    await reports.take('default');
    await settled(due);
    expect(reported).toEqual([100]);
  });

  it('goes on after a restart with what was due', async () => {
    const { reports, reported, due } = setUp([]);
    due.add('default');
    await reports.resume();
    await settled(due);
    expect(reported).toEqual([100]);
  });
});
