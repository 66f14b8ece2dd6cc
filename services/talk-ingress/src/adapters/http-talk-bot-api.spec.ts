import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Post } from '../domain/compose-parts';
import { HttpTalkBotApi } from './http-talk-bot-api';

let server: Server;
let instanceUrl: string;
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  instanceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const HELLO: Post = { type: 'message', text: 'Hello' };
const EYES: Post = { type: 'reaction_add', messageId: '1', reaction: '👀' };

const call = (messageMs = 10_000, url = instanceUrl, post: Post = HELLO) =>
  new HttpTalkBotApi({ messageMs, reactionMs: 50 }).call({
    instanceUrl: url,
    secret: 's'.repeat(40),
    room: 'x7k2m9pq',
    post,
    referenceId: 'f'.repeat(64),
  });

describe('HttpTalkBotApi', () => {
  it('tells the status, and how long to wait', async () => {
    answer = (_request, response) => response.writeHead(429, { 'Retry-After': '30' }).end('{}');
    expect(await call()).toEqual({ status: 429, retryAfterMs: 30_000 });
  });

  it('takes a silent server for an unknown outcome', async () => {
    answer = () => undefined;
    expect(await call(50)).toEqual({ unreachable: 'TIMEOUT' });
  });

  it('waits for a reaction less than for a message', async () => {
    answer = (_request, response) => void setTimeout(() => response.writeHead(201).end(), 200);
    expect(await call(10_000, instanceUrl, EYES)).toEqual({ unreachable: 'TIMEOUT' });
    expect(await call()).toEqual({ status: 201 });
  });

  it('takes a broken or refused connection for an unknown outcome', async () => {
    answer = (request) => request.socket.destroy();
    expect(await call()).toEqual({ unreachable: 'NETWORK' });
    expect(await call(undefined, 'http://127.0.0.1:9')).toEqual({ unreachable: 'NETWORK' });
  });

  it('does not read an endless answer to its end', async () => {
    answer = (_request, response) => {
      response.writeHead(201);
      const flood = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
      response.on('close', () => clearInterval(flood));
    };
    expect(await call()).toEqual({ status: 201 });
  });

  it('has its answer with the status, also when the rest never comes', async () => {
    answer = (_request, response) => response.writeHead(201, { 'Content-Length': '1000' }).write('{');
    expect(await call(200)).toEqual({ status: 201 });
  });

  it('signs each call with a random of its own', async () => {
    const randoms: unknown[] = [];
    answer = (request, response) => {
      randoms.push(request.headers['x-nextcloud-talk-bot-random']);
      response.writeHead(201).end();
    };
    await call();
    await call();
    expect(new Set(randoms).size).toBe(2);
  });

  it.each([
    ['tells the features where Talk does', 200, '{"ocs":{"meta":{},"data":{"features":3}}}', 3],
    ['tells none where Talk knows no such question', 404, '{"ocs":{"meta":{},"data":[]}}', undefined],
    ['tells none for an answer that is none', 200, '<html>', undefined],
  ])('%s', async (_fact, status, body, features) => {
    answer = (_request, response) => response.writeHead(status).end(body);
    const api = new HttpTalkBotApi({ messageMs: 10_000, reactionMs: 1_000 });
    expect(await api.features({ instanceUrl, secret: 's'.repeat(40), room: 'x7k2m9pq' })).toBe(features);
  });
});
