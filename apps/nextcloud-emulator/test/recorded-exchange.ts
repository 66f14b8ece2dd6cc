import { readFileSync } from 'node:fs';
import path from 'node:path';

/** One HTTP exchange with a real Nextcloud 24.0.5. */
export interface RecordedExchange {
  readonly case: string;
  readonly note?: string;
  readonly user: string | null;
  readonly request: { method: string; path: string; headers: Record<string, string>; body: string };
  readonly response: { status: number; headers: Record<string, string>; body: string };
}

export function readRecorded(name: string): RecordedExchange[] {
  const source = readFileSync(path.join(__dirname, 'recorded', `${name}.jsonl`), 'utf8');
  return source
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedExchange);
}

/** Takes out what differs from run to run: ETags, times, ids and sizes. */
export function normalised(text: string): string {
  return text
    .replace(/(&quot;|")[0-9a-f]{32}(&quot;|")/g, '$1FILE-ETAG$2')
    .replace(/(&quot;|")[0-9a-f]{13}(&quot;|")/g, '$1FOLDER-ETAG$2')
    .replace(/[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g, 'DATE')
    .replace(/<oc:id>\d{8}oc[a-z0-9]{10}</g, '<oc:id>LONG-ID<')
    .replace(
      /<(oc:fileid|oc:size|d:getcontentlength|d:quota-used-bytes|nc:upload_time)>\d+</g,
      '<$1>NUMBER<',
    );
}

/** The responses of a multistatus in the order of their hrefs: a search without an order promises none. */
export function sortedResponses(multistatus: string): string {
  const [head = '', ...responses] = multistatus.split('<d:response>');
  const tail = '</d:multistatus>\n';
  return [head, ...responses.map((one) => one.replace(tail, '')).sort()].join('<d:response>') + tail;
}

/** A library's own wording, which an emulator in another language does not have. */
export function withoutParserMessage(text: string): string {
  return text
    .replace(
      /<s:message>(Namespace prefix|<string>|\d+:\d+|unclosed)[\s\S]*?<\/s:message>/,
      '<s:message>PARSER</s:message>',
    )
    .replace(/^Parse error: [\s\S]*$/, 'Parse error: PARSER');
}
