import type { AddressInfo, Server } from 'node:net';

/** Where a server that listens on `host` is found, without a trailing slash. The port may have been left to the system. */
export const listeningUrl = (host: string, server: Server): string => {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
