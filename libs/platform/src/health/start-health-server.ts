import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `GET /healthz` (the process lives) and `GET /readyz` (it can do its part), for a service without another door.
 * It listens on 127.0.0.1 alone: whoever looks after the process asks from beside it.
 * @param port 0 takes a free one
 */
export const startHealthServer = async (
  port: number,
  isReady: () => boolean | Promise<boolean>,
): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    void (async () => {
      const known = request.url === '/healthz' || request.url === '/readyz';
      const well = known && (request.url === '/healthz' || (await isReady()));
      response.writeHead(known ? (well ? 200 : 503) : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ status: well ? 'ok' : 'unavailable' }));
    })();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
