import { z } from 'zod';
import type { GatewayClient } from '../gateway/gateway-client';

const HEADERS = { 'ocs-apirequest': 'true', accept: 'application/json' };
const MAX_BYTES = 512 * 1024;
const Envelope = z.object({ ocs: z.object({ data: z.unknown() }) });

/** `data` of an answer of the OCS API, or null where the server refused or did not answer in its form. */
export const readOcs = async <Data extends z.ZodType>(
  gateway: GatewayClient,
  path: string,
  data: Data,
): Promise<z.output<Data> | null> => {
  const response = await gateway.request('GET', `/ocs/v2.php${path}`, { headers: HEADERS });
  const text = await response.text(MAX_BYTES);
  if (response.status !== 200) return null;
  const envelope = Envelope.safeParse(parsed(text));
  if (!envelope.success) return null;
  return data.safeParse(envelope.data.ocs.data).data ?? null;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a page of a proxy, or an answer that was cut.
    return undefined;
  }
};
