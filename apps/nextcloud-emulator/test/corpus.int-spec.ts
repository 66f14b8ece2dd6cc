import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { normalised, readRecorded, sortedResponses, withoutParserMessage } from './recorded-exchange';
import type { RecordedExchange } from './recorded-exchange';
import { FRESH, LATER } from './recorded-world';

/** Headers that clients look at; the recordings hold no others. */
const COMPARED = [
  'content-type',
  'www-authenticate',
  'allow',
  'dav',
  'accept-ranges',
  'content-range',
  'content-disposition',
  'etag',
  'oc-etag',
  'last-modified',
];

describe('the emulator beside a real Nextcloud 24.0.5', () => {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator();
  });

  afterAll(() => emulator.close());

  async function send(exchange: RecordedExchange): Promise<Response> {
    const fresh =
      /^files-propfind(?!-depth-infinity-tree)/.test(exchange.case) ||
      exchange.request.path.endsWith('/Documents');
    emulator.reset(fresh ? FRESH : LATER);
    const { method, path, body } = exchange.request;
    const headers = { ...exchange.request.headers, ...credentialsOf(exchange) };
    if (exchange.note === 'If-None-Match same') headers['If-None-Match'] = await etagOf(path);
    return fetch(`${emulator.url}${path}`, { method, headers, ...(body !== '' && { body }) });
  }

  async function etagOf(path: string): Promise<string> {
    const response = await fetch(`${emulator.url}${path}`, {
      method: 'HEAD',
      headers: basic('alice', 'right'),
    });
    return response.headers.get('etag') ?? '';
  }

  describe('WebDAV', () => {
    it.each(readRecorded('files').map((one) => [nameOf(one), one] as const))(
      'answers %s alike',
      async (_, exchange) => {
        const response = await send(exchange);
        expect(response.status).toBe(exchange.response.status);
        expect(headersOf(response.headers)).toEqual(headersOf(new Headers(exchange.response.headers)));
        const body = await response.text();
        const same =
          exchange.request.method === 'SEARCH' && response.status === 207
            ? sortedResponses
            : (text: string) => text;
        const comparable = (text: string) => withoutParserMessage(normalised(same(text)));
        expect(comparable(body)).toBe(comparable(exchange.response.body));
      },
    );
  });

  describe('OCS and login', () => {
    const whole = readRecorded('ocs').filter(
      (one) => !one.case.startsWith('cloud-user-v') && one.case !== 'cloud-user-v2-accept-header-only',
    );
    it.each(whole.map((one) => [nameOf(one), one] as const))('answers %s alike', async (_, exchange) => {
      const response = await send(exchange);
      expect(response.status).toBe(exchange.response.status);
      expect(headersOf(response.headers)).toEqual(headersOf(new Headers(exchange.response.headers)));
      expect(await response.text()).toBe(exchange.response.body);
    });

    const own = readRecorded('ocs').filter((one) => one.case.startsWith('cloud-user-v'));
    it.each(own.map((one) => [nameOf(one), one] as const))(
      'tells alice about herself as in %s',
      async (_, exchange) => {
        const response = await send(exchange);
        expect(response.status).toBe(exchange.response.status);
        const { meta, data } = envelopeOf(await response.text());
        const recorded = envelopeOf(exchange.response.body);
        expect(meta).toEqual(recorded.meta);
        const { id, email, groups, language, locale } = recorded.data;
        expect(data).toMatchObject({
          id,
          email,
          groups,
          language,
          locale,
          'display-name': recorded.data['display-name'],
        });
        // The real one adds scopes of the profile; the emulator gives nothing that the real one does not.
        expect(typesOf(recorded.data)).toMatchObject(typesOf(data));
        expect(typesOf(recorded.data['quota'])).toEqual(typesOf(data['quota']));
      },
    );
  });
});

function nameOf({ case: name, note, request }: RecordedExchange): string {
  return `${name}${note === undefined ? '' : ` (${note})`}: ${request.method}`;
}

function credentialsOf(exchange: RecordedExchange): Record<string, string> {
  if (exchange.case === 'auth-bearer-bad') return { Authorization: 'Bearer bad' };
  if (exchange.user === null) return {};
  const wrong = exchange.case === 'auth-wrong-password';
  return basic(exchange.user, wrong ? 'wrong' : 'right');
}

function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function headersOf(headers: Headers): Record<string, string> {
  const found = COMPARED.map((name): [string, string | null] => [name, headers.get(name)]);
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value === null ? [] : [[name, normalised(value)]])),
  );
}

interface OcsEnvelope {
  meta: Record<string, unknown>;
  data: Record<string, unknown>;
}

function envelopeOf(body: string): OcsEnvelope {
  return (JSON.parse(body) as { ocs: OcsEnvelope }).ocs;
}

function typesOf(value: unknown): Record<string, string> {
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, one]) => [name, Array.isArray(one) ? 'array' : typeof one]));
}
