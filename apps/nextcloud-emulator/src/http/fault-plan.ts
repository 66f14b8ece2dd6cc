import { z } from 'zod';

export const Fault = z.strictObject({
  match: z.strictObject({
    method: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
    user: z.string().min(1).optional(),
  }),
  status: z.int().min(100).max(599).optional(),
  delayMs: z.int().min(0).optional(),
  drop: z.union([z.boolean(), z.literal('answer')]).optional(),
  times: z.int().min(1),
});

/**
 * What goes wrong with matching requests, the next `times` times.
 * - `path`: a prefix of the path below the web root, or, when it holds `*`, a pattern for the whole of it in which
 *   `*` stands for any characters.
 * - `delayMs` waits first. `status` answers with it instead of doing anything. `drop: true` closes the connection
 *   without doing anything; `drop: "answer"` does what was asked and then loses the answer.
 */
export type Fault = z.infer<typeof Fault>;

interface Subject {
  readonly method: string;
  readonly path: string;
  readonly user: string | null;
}

export class FaultPlan {
  private faults: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.faults.push({ fault, left: fault.times });
  }

  clear(): void {
    this.faults = [];
  }

  /** The fault that hits this request, if any; it is used up by one. */
  take(subject: Subject): Fault | undefined {
    const entry = this.faults.find(({ fault }) => hits(fault.match, subject));
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left === 0) this.faults.splice(this.faults.indexOf(entry), 1);
    return entry.fault;
  }
}

function hits(match: Fault['match'], subject: Subject): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== subject.method) return false;
  if (match.user !== undefined && match.user !== subject.user) return false;
  return match.path === undefined || fitsPath(match.path, subject.path);
}

function fitsPath(pattern: string, path: string): boolean {
  if (!pattern.includes('*')) return path.startsWith(pattern);
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(path);
}
