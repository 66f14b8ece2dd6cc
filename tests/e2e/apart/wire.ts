import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { eventually } from '@nuqloud/testing';

/** Where the words of one connection are stopped. */
interface Stop {
  /** `request` keeps back what says the last of the words, `answer` lets it through and keeps back what is answered. */
  readonly what: 'request' | 'answer';
  /** They pass on one connection, one after another. */
  readonly words: readonly string[];
  reached: boolean;
}

/**
 * A wire between a service and a store or neighbour. It hands everything on until the service says what it was told to
 * stop at: then the service stands exactly there, knowing nothing of it, and can be killed. One stop at a time.
 */
export class Wire {
  private readonly lines: Line[] = [];
  private stop: Stop | undefined;
  private isCut = false;

  private constructor(
    private readonly server: Server,
    /** As the target's, with the port of this wire. */
    readonly url: string,
  ) {}

  static async to(target: string): Promise<Wire> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const wire = new Wire(server, url.href.replace(/\/$/, ''));
    server.on('connection', (socket) => wire.open(socket, connect(Number(port), hostname)));
    return wire;
  }

  /** From now on. @returns waits until the service stands there */
  stopAt(what: Stop['what'], ...words: string[]): () => Promise<void> {
    if (this.stop && !this.stop.reached)
      throw new Error(`Nobody came to ${this.stop.words.join(' … ')} yet.`);
    const stop: Stop = { what, words, reached: false };
    this.stop = stop;
    const describe = `${what} ${words.join(' … ')}`;
    return async () => {
      await eventually(() => stop.reached, { describe, deadlineMs: 20_000 });
    };
  }

  /** What was kept back goes on its way. */
  release(): void {
    this.stop = undefined;
    for (const line of this.lines) line.release();
  }

  /** Ends every connection and refuses new ones, until it is mended. */
  cut(): void {
    this.isCut = true;
    for (const line of this.lines) line.close();
  }

  mend(): void {
    this.isCut = false;
  }

  /** Every byte of all requests so far, one connection after another. */
  get requests(): Buffer {
    return Buffer.concat(this.lines.flatMap(({ said }) => said.request));
  }

  /** Every byte of all answers so far. */
  get answers(): Buffer {
    return Buffer.concat(this.lines.flatMap(({ said }) => said.answer));
  }

  close(): void {
    this.server.close();
    for (const line of this.lines) line.close();
  }

  private open(client: Socket, target: Socket): void {
    const line = new Line(client, target, () => this.stop);
    this.lines.push(line);
    if (this.isCut) line.close();
  }
}

/** One connection through the wire. */
class Line {
  readonly said = { request: [] as Buffer[], answer: [] as Buffer[] };
  private readonly kept = { request: [] as Buffer[], answer: [] as Buffer[] };
  private holding: Stop['what'] | undefined;
  private watched: Stop | undefined;
  private passed = 0;
  /** Words may be cut in two by the network. */
  private tail = '';

  constructor(
    private readonly client: Socket,
    private readonly target: Socket,
    private readonly current: () => Stop | undefined,
  ) {
    client.setNoDelay(true);
    target.setNoDelay(true);
    client.on('data', (chunk: Buffer) => {
      this.listen(chunk);
      this.pass('request', chunk, target);
    });
    target.on('data', (chunk: Buffer) => this.pass('answer', chunk, client));
    // Whoever is killed leaves a broken line, which is the point.
    for (const end of [client, target]) end.on('error', () => this.close()).on('close', () => this.close());
  }

  release(): void {
    this.holding = undefined;
    for (const chunk of this.kept.request.splice(0)) this.target.write(chunk);
    for (const chunk of this.kept.answer.splice(0)) this.client.write(chunk);
  }

  close(): void {
    this.client.destroy();
    this.target.destroy();
  }

  private pass(way: Stop['what'], chunk: Buffer, to: Socket): void {
    this.said[way].push(chunk);
    if (this.holding === way) this.kept[way].push(chunk);
    else to.write(chunk);
  }

  private listen(chunk: Buffer): void {
    const stop = this.current();
    if (!stop || stop.reached) return;
    if (stop !== this.watched) {
      this.watched = stop;
      this.passed = 0;
      this.tail = '';
    }
    let text = this.tail + chunk.toString('latin1');
    for (;;) {
      const word = stop.words[this.passed] ?? '';
      const at = text.indexOf(word);
      if (at < 0) break;
      text = text.slice(at + word.length);
      this.passed += 1;
      if (this.passed < stop.words.length) continue;
      stop.reached = true;
      this.holding = stop.what;
      return;
    }
    this.tail = text.slice(-LONGEST_WORD);
  }
}

const LONGEST_WORD = 200;
