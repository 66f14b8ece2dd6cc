import type { Exchange } from '../http/exchange';
import { headerOf } from '../http/exchange';

/**
 * Parameters as PHP sees them: the query, then a JSON or urlencoded body over it. A body of another type, or JSON
 * that does not parse, gives none.
 */
export async function readParameters(exchange: Exchange): Promise<Record<string, unknown>> {
  const parameters: Record<string, unknown> = Object.fromEntries(exchange.query);
  if (exchange.method === 'GET') return parameters;
  const type = headerOf(exchange, 'content-type').toLowerCase();
  const body = (await exchange.readBody()).toString('utf8');
  if (type.startsWith('application/json')) return { ...parameters, ...parseObject(body) };
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...parameters, ...Object.fromEntries(new URLSearchParams(body)) };
  }
  return parameters;
}

function parseObject(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Nextcloud treats a broken body like an empty one; the missing parameter is what the client hears about.
    return {};
  }
}
