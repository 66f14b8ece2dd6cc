import { parseArgs } from 'node:util';
import { Environment } from '@nuqloud/contracts';
import type { ListedDeadLetter } from '@nuqloud/messaging';
import { DEAD_LETTER_ERRORS } from '@nuqloud/messaging';
import { AppError, isAppError, parseEnvironment, singleLine } from '@nuqloud/platform';
import type { Command, CommandContext } from '../command';
import { UsageError } from '../command';
import { withDeadLetters } from '../with-dead-letters';

export const DeadLetterConfig = Environment.pick({ NATS_URL: true, KEYS_DIR: true });

const VARIABLES = [
  'NATS_URL      the nats-server of the installation',
  'KEYS_DIR      made by `keys init`; the file of `provisioner` is read',
];

export const deadLetterListCommand: Command = {
  name: 'dead-letter list',
  summary: 'lists the messages that could not be handled, with the reason; never what they say',
  details: VARIABLES,
  async run({ args, env, print }) {
    parseArgs({ args: [...args], options: {} });
    const letters = await withDeadLetters(parseEnvironment(DeadLetterConfig, env), (queue) => queue.list());
    if (letters.length === 0) print('There are no dead letters.');
    for (const letter of letters) linesOf(letter).forEach(print);
  },
};

export const deadLetterReplayCommand: Command = {
  name: 'dead-letter replay',
  summary: 'puts such messages back at the end of their stream, to be handled as if they came now',
  details: [...VARIABLES, 'ID...         as listed', '--all         all that wait'],
  async run({ args, env, print }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { all: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    if (values.all === positionals.length > 0)
      throw new UsageError('Say which: ids as `dead-letter list` shows them, or --all.');
    await withDeadLetters(parseEnvironment(DeadLetterConfig, env), async (queue) => {
      const letters = await queue.list();
      const wanted = values.all
        ? letters.filter(({ state }) => state === 'waiting')
        : [...new Set(positionals)].map((id) => find(letters, id));
      if (wanted.length === 0) print('No dead letter waits.');
      await replayAll(wanted, (letter) => queue.replay(letter), print);
    });
  },
};

const find = (letters: readonly ListedDeadLetter[], id: string): ListedDeadLetter => {
  const letter = letters.find((one) => one.id === id);
  if (letter) return letter;
  throw new AppError(DEAD_LETTER_ERRORS.UNKNOWN, `There is no dead letter ${singleLine(id, 60)}.`);
};

/** One that cannot be put back does not keep the others from it. */
const replayAll = async (
  letters: readonly ListedDeadLetter[],
  replay: (letter: ListedDeadLetter) => Promise<string>,
  print: CommandContext['print'],
): Promise<void> => {
  const refused: string[] = [];
  for (const letter of letters) {
    try {
      print(`${letter.id} was put back as ${await replay(letter)}.`);
    } catch (error) {
      if (!isAppError(error, DEAD_LETTER_ERRORS.GONE) && !isAppError(error, DEAD_LETTER_ERRORS.REPLAYED))
        throw error;
      refused.push(error.message);
    }
  }
  if (refused.length > 0) throw new AppError('DEAD_LETTER.NOT_REPLAYED', refused.join('\n'));
};

/** What a service wrote stays within its line. */
const linesOf = ({ id, state, at, service, subject, deliveries, code, reason }: ListedDeadLetter) => {
  const times = deliveries === 1 ? 'once' : `${deliveries} times`;
  return [
    `${id}  ${state}  ${at}  ${service}  ${singleLine(subject, 200)}`,
    `    ${singleLine(code, 80)}, tried ${times}. ${singleLine(reason, 1_000)}`.trimEnd(),
  ];
};
