import { phpJson } from '../http/php-json';
import type { Reply } from '../http/exchange';
import { element, text, xmlDocument } from '../http/xml-writer';
import type { XmlNode } from '../http/xml-writer';
import type { OcsAnswer } from './ocs-call';

export type OcsVersion = 'v1' | 'v2';
export type OcsFormat = 'json' | 'xml';

/**
 * Wraps an answer. v2 takes the HTTP status into `meta.statuscode`; v1 answers HTTP 200 nearly always (401 stays),
 * calls success 100 and adds two empty counts. 304 and 204 have no body.
 */
export function envelope(answer: OcsAnswer, version: OcsVersion, format: OcsFormat): Reply {
  const { status } = answer;
  if (status === 304 || status === 204) return { status, ...(answer.headers && { headers: answer.headers }) };
  const success = status >= 200 && status < 300;
  const statuscode = answer.statuscode ?? (version === 'v1' && status === 200 ? 100 : status);
  const meta = {
    status: success ? 'ok' : 'failure',
    statuscode,
    message: answer.message ?? (success ? 'OK' : ''),
    ...(version === 'v1' && { totalitems: '', itemsperpage: '' }),
  };
  const httpStatus = version === 'v1' && status !== 401 ? 200 : status;
  return format === 'json'
    ? jsonReply(httpStatus, { ocs: { meta, data: answer.data } }, answer)
    : xmlReply(httpStatus, meta, answer);
}

function jsonReply(status: number, value: unknown, answer: OcsAnswer): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...answer.headers },
    body: ocsJson(value),
  };
}

/** PHP's JSON with `<` and `>` escaped, as OCS answers have it. */
export function ocsJson(value: unknown): string {
  return phpJson(value).replaceAll('<', '\\u003C').replaceAll('>', '\\u003E');
}

function xmlReply(status: number, meta: Readonly<Record<string, unknown>>, answer: OcsAnswer): Reply {
  const root = element('ocs', {}, [
    element(
      'meta',
      {},
      Object.entries(meta).map(([name, value]) => element(name, {}, valueNodes(value))),
    ),
    element('data', {}, valueNodes(answer.data)),
  ]);
  return {
    status,
    headers: { 'Content-Type': 'text/xml; charset=UTF-8', ...answer.headers },
    body: xmlDocument(root, { indent: ' ' }),
  };
}

/** Lists become `<element>`s; true is 1, false and null are empty, as PHP writes them. */
function valueNodes(value: unknown): XmlNode[] {
  if (Array.isArray(value)) return value.map((item) => element('element', {}, valueNodes(item)));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, item]) => element(name, {}, valueNodes(item)));
  }
  if (value === true) return [text('1')];
  if (typeof value === 'string' || typeof value === 'number')
    return value === '' ? [] : [text(String(value))];
  return [];
}
