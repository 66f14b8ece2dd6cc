import type { Server } from 'node:net';
import { listeningUrl } from './listening-url';

const server = { address: () => ({ port: 23100 }) } as Server;

it.each([
  ['127.0.0.1', 'http://127.0.0.1:23100'],
  ['door.example', 'http://door.example:23100'],
  ['::1', 'http://[::1]:23100'],
])('a server on %s is found at %s, with the port that it was given', (host, url) => {
  expect(listeningUrl(host, server)).toBe(url);
});
