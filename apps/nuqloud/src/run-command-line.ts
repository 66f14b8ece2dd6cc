import { AppError, describeError } from '@nuqloud/platform';
import { UsageError } from './command';
import type { Command, CommandContext } from './command';
import { deadLetterListCommand, deadLetterReplayCommand } from './commands/dead-letter.commands';
import { doctorCommand } from './commands/doctor.command';
import { initCommand } from './commands/init.command';
import { keysInitCommand } from './commands/keys-init.command';

const HELP: Command = {
  name: 'help',
  summary: 'shows this',
  details: [],
  run: ({ print }) => {
    helpLines().forEach(print);
    return Promise.resolve();
  },
};

const COMMANDS: readonly Command[] = [
  keysInitCommand,
  initCommand,
  doctorCommand,
  deadLetterListCommand,
  deadLetterReplayCommand,
  HELP,
];

export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

export interface Terminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/**
 * Runs one command of the administrator.
 * @param args what was typed after `nuqloud`
 * @returns the exit code: 0 done, 1 it failed, 2 it was not typed as it must be
 */
export const runCommandLine = async (
  args: readonly string[],
  env: CommandContext['env'],
  { print, printError }: Terminal,
): Promise<number> => {
  try {
    const { command, rest } = findCommand(args);
    await command.run({ args: rest, env, print });
    return EXIT.done;
  } catch (error) {
    messageOf(error).forEach(printError);
    return isMisuse(error) ? EXIT.misused : EXIT.failed;
  }
};

const findCommand = (args: readonly string[]): { command: Command; rest: readonly string[] } => {
  if (args.some((word) => word === '--help' || word === '-h')) return { command: HELP, rest: [] };
  for (const command of COMMANDS) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  const names = COMMANDS.map(({ name }) => name).join(', ');
  throw new UsageError(
    args.length === 0 ? `Say what to do: ${names}.` : `There is no such command; there are: ${names}.`,
  );
};

/** Wider than any command's name. */
const COLUMN = 20;

const helpLines = (): string[] => [
  'Usage: npm run nuqloud -- <command> [flags]',
  ...COMMANDS.flatMap(({ name, summary, details }) => [
    '',
    `${name.padEnd(COLUMN)}${summary}`,
    ...details.map((line) => `${' '.repeat(COLUMN)}${line}`),
  ]),
];

/** parseArgs words its refusals for the person who typed; any other foreign error is told by type and place alone. */
const messageOf = (error: unknown): string[] => {
  if (error instanceof AppError) return [error.message];
  if (isMisuse(error)) return [(error as Error).message];
  const { code, at = [] } = describeError(error);
  return [`Unexpected error ${code}`, ...at];
};

const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError || describeError(error).code.startsWith('ERR_PARSE_ARGS_');
