import { startHealthServer } from './start-health-server';

it('tells apart a process that lives and one that can do its part', async () => {
  let ready = false;
  const server = await startHealthServer(0, () => ready);
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
  try {
    expect([await status('/healthz'), await status('/readyz'), await status('/')]).toEqual([200, 503, 404]);
    ready = true;
    expect(await status('/readyz')).toBe(200);
  } finally {
    await server.close();
  }
});
