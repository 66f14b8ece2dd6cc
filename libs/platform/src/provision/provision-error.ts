import { AppError } from '../errors/app-error';

export type ProvisionPath = readonly (string | number)[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One mistake, where it stands and what would be right; never a value of the file. */
export interface ProvisionProblem extends Position {
  readonly path: ProvisionPath;
  readonly message: string;
}

/** All mistakes of a provision file at once, in the order of its lines. */
export class ProvisionError extends AppError {
  readonly problems: readonly ProvisionProblem[];

  constructor(file: string, problems: readonly ProvisionProblem[]) {
    const inOrder = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    const lines = inOrder.map((problem) => `\n  - ${describe(problem)}`);
    super('PROVISION.INVALID', `The provision file ${file} is not usable:${lines.join('')}`);
    this.problems = inOrder;
  }
}

const describe = ({ line, column, path, message }: ProvisionProblem): string =>
  `line ${line}, column ${column}${path.length > 0 ? ` (${writePath(path)})` : ''}: ${message}`;

/** `bots[0].rooms.default` */
const writePath = (path: ProvisionPath): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
