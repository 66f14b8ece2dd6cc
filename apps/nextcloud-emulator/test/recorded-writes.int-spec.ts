import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { basic } from './nextcloud-calls';
import { normalised, readRecorded } from './recorded-exchange';
import type { RecordedExchange } from './recorded-exchange';
import { BEFORE_SHARES, BEFORE_WRITES } from './recorded-world';

const COMPARED = [
  'content-type',
  'allow',
  'etag',
  'oc-etag',
  'oc-fileid',
  'x-oc-mtime',
  'dav',
  'content-length',
];

/** What the recording did within the second of the call before. */
const SAME_SECOND = new Set(['other size, same second: ETag unchanged', 'stale If-Match accepted']);

/** Plays recorded calls one after another, two seconds apart where the recording does not say otherwise; what the server once named, it names by its own names. */
class Replay {
  private clock = Date.UTC(2026, 10, 30, 17, 0);
  private readonly named = new Map<string, string>();

  private constructor(readonly emulator: Emulator) {}

  static async start(fixture: typeof BEFORE_WRITES): Promise<Replay> {
    const replay: { current?: Replay } = {};
    const emulator = await startEmulator({
      fixture,
      now: () => replay.current?.clock ?? Date.UTC(2026, 10, 30),
    });
    return (replay.current = new Replay(emulator));
  }

  async send(exchange: RecordedExchange): Promise<{ response: Response; body: string }> {
    if (!SAME_SECOND.has(exchange.note ?? '')) this.clock += 2_000;
    const { method, path, body } = exchange.request;
    const headers = Object.fromEntries(
      Object.entries(exchange.request.headers).map(([name, value]) => [name, this.translated(value)]),
    );
    if (exchange.note === 'If-Unmodified-Since in the past')
      headers['If-Unmodified-Since'] = 'Sat, 01 Jan 2000 00:00:00 GMT';
    const response = await fetch(`${this.emulator.url}${this.translated(path)}`, {
      method,
      headers: { ...headers, ...basic(exchange.user ?? '', 'right') },
      ...(body !== '' && { body }),
    });
    const answered = await response.text();
    this.learn(exchange.response.headers['ETag'] ?? '', response.headers.get('etag') ?? '');
    this.learnAll(/&quot;[0-9a-f]{13}&quot;/g, exchange.response.body, answered);
    this.learnAll(/f\.txt\.d\d+/g, exchange.response.body, answered);
    return { response, body: answered };
  }

  private learnAll(pattern: RegExp, recorded: string, answered: string): void {
    const ours = [...answered.matchAll(pattern)];
    [...recorded.matchAll(pattern)].forEach(([name], at) => this.learn(name, ours[at]?.[0] ?? name));
  }

  private learn(recorded: string, ours: string): void {
    if (recorded !== '' && ours !== '') this.named.set(unquoted(recorded), unquoted(ours));
  }

  private translated(text: string): string {
    return [...this.named].reduce((done, [recorded, ours]) => done.replaceAll(recorded, ours), text);
  }
}

const unquoted = (text: string) => text.replace(/&quot;|"/g, '');

function comparable(text: string): string {
  return normalised(text)
    .replace(/f\.txt\.d\d+/g, 'TRASHED')
    .replace(/<d:getetag>\d{10}</g, '<d:getetag>TIME<');
}

function headersOf(headers: Headers): Record<string, string> {
  const values = COMPARED.map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) =>
      value === null || (name === 'content-length' && value !== '0')
        ? []
        : [[name, normalised(value).replace(/^\d{8}oc[a-z0-9]{10}$/, 'LONG-ID')]],
    ),
  );
}

/** The trash holds what other cases have left, some of them not recorded; only what this one put there is compared. */
function withoutLeftovers(exchange: RecordedExchange, multistatus: string): string {
  if (exchange.request.path !== '/remote.php/dav/trashbin/alice/trash') return multistatus;
  const end = '</d:multistatus>\n';
  const [head = '', trash = '', ...items] = multistatus.replace(end, '').split('<d:response>');
  const kept = items.filter((one) => one.includes('/trash/f.txt'));
  return [head, trash, ...kept].join('<d:response>') + end;
}

describe.each([
  ['writes', BEFORE_WRITES],
  ['received-shares', BEFORE_SHARES],
] as const)('beside a real Nextcloud 24.0.5, the recorded %s', (name, fixture) => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await Replay.start(fixture);
  });
  afterAll(() => replay.emulator.close());

  const recorded = readRecorded(name).map(
    (one) =>
      [`${one.case}${one.note === undefined ? '' : ` (${one.note})`}: ${one.request.method}`, one] as const,
  );
  it.each(recorded)('answers %s alike', async (_, exchange) => {
    const { response, body } = await replay.send(exchange);
    expect({
      status: response.status,
      headers: headersOf(response.headers),
      body: comparable(withoutLeftovers(exchange, body)),
    }).toEqual({
      status: exchange.response.status,
      headers: headersOf(new Headers(exchange.response.headers)),
      body: comparable(withoutLeftovers(exchange, exchange.response.body)),
    });
  });
});
