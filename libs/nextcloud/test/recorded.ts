import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Reply } from './fake-gateway';

const Recorded = z.object({
  name: z.string(),
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});

const exchanges = new Map(
  readFileSync(path.join(__dirname, 'recorded/files.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Recorded.parse(JSON.parse(line)))
    .map(({ name, response }) => [name, response]),
);

/** What a real Nextcloud 24 answered. */
export const recorded = (name: string): Reply => {
  const response = exchanges.get(name);
  if (!response) throw new Error(`no recorded exchange is named ${name}`);
  return response;
};
