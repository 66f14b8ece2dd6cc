// node docker/healthcheck.mjs URL: ends with 0 where URL answers 200 in time. Images have no other HTTP client.
const [url] = process.argv.slice(2);
const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
process.exit(answer?.status === 200 ? 0 : 1);
