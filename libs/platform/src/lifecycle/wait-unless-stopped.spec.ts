import { waitUnlessStopped } from './wait-unless-stopped';

const LONG_MS = 24 * 60 * 60 * 1_000;

it('ends when the time is over', async () => {
  await waitUnlessStopped(1, new AbortController().signal);
});

it('ends without a failure when it is stopped, also before it began', async () => {
  const stopping = new AbortController();
  const waiting = waitUnlessStopped(LONG_MS, stopping.signal);
  stopping.abort();
  await waiting;
  await waitUnlessStopped(LONG_MS, stopping.signal);
});
