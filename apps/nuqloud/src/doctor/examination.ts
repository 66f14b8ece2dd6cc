import { AppError, errorCode } from '@nuqloud/platform';

/** What a check found that is right, in words for the administrator, and what later checks need of it. */
export interface Found<T> {
  readonly found: string;
  readonly value: T;
}

/** Ends a check: something is wrong. */
export class Wrong extends Error {
  /** @param remedy what to do about it */
  constructor(what: string, remedy = '') {
    super(remedy === '' ? what : `${what} ${remedy}`);
  }
}

/** Ends a check: it cannot tell here, and that is no mistake. */
export class NotExamined extends Error {}

/** A check that has been made. */
export type Checked<T> =
  | { readonly name: string; readonly right: true; readonly value: T }
  | { readonly name: string; readonly right: false };

/** The values of checks that were all right. */
type Values<N extends readonly Checked<unknown>[]> = {
  [I in keyof N]: N[I] extends Checked<infer T> ? T : never;
};

/** Makes checks one after another, prints a line for each, and leaves out those that need one that was not right. */
export class Examination {
  private right = 0;
  private wrong = 0;
  private notExamined = 0;

  constructor(private readonly print: (line: string) => void) {}

  stage(title: string): void {
    this.print('');
    this.print(title);
  }

  /**
   * @param needs checks without which this one makes no sense
   * @param examine gets their values; throws Wrong, NotExamined or AppError
   */
  async check<const N extends readonly Checked<unknown>[], T>(
    name: string,
    needs: N,
    examine: (...values: Values<N>) => Promise<Found<T>> | Found<T>,
  ): Promise<Checked<T>> {
    const missing = needs.find(({ right }) => !right);
    if (missing) return this.leaveOut(name, `needs "${missing.name}" to be right`);
    const values = needs.map((need) => (need.right ? need.value : undefined)) as Values<N>;
    try {
      const { found, value } = await examine(...values);
      this.right += 1;
      this.print(`  ✔ ${name}: ${found}`);
      return { name, right: true, value };
    } catch (error) {
      if (error instanceof NotExamined) return this.leaveOut(name, error.message);
      this.wrong += 1;
      this.print(`  ✖ ${name}: ${inWords(error)}`);
      return { name, right: false };
    }
  }

  get result(): { readonly right: number; readonly wrong: number; readonly notExamined: number } {
    return { right: this.right, wrong: this.wrong, notExamined: this.notExamined };
  }

  private leaveOut(name: string, reason: string): { name: string; right: false } {
    this.notExamined += 1;
    this.print(`  – ${name}: ${reason}`);
    return { name, right: false };
  }
}

/** Our own errors are worded for people; what others say may quote anything. */
const inWords = (error: unknown): string =>
  error instanceof Wrong || error instanceof AppError
    ? error.message.replace(/\s*\n\s*/g, ' ')
    : `unexpected error ${errorCode(error)}`;
