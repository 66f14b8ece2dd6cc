import { AppError } from '@nuqloud/platform';

/** What a command gets; `print` writes a line for the person at the terminal. */
export interface CommandContext {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

export interface Command {
  /** As typed, e.g. `keys init`. */
  readonly name: string;
  readonly summary: string;
  /** Further lines of the help: variables and flags. */
  readonly details: readonly string[];
  /** @throws AppError with a message for the administrator */
  run(context: CommandContext): Promise<void>;
}

/** The command was not typed as it must be. */
export class UsageError extends AppError {
  constructor(message: string) {
    super('USAGE', message);
  }
}
