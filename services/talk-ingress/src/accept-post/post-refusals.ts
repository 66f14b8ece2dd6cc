import { PROMPT_KEY_PREFIX } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

export const unknownBot = ({ bot, instance }: { bot: string; instance: string }): AppError =>
  new AppError(
    'TALK.UNKNOWN_BOT',
    `There is no bot ${bot} for the instance ${instance}; the provision file or the administrator adds it.`,
  );

export const emptyPost = (): AppError =>
  new AppError('TALK.EMPTY_POST', 'The message has no visible text; Talk would refuse it.');

export const reservedKey = (): AppError =>
  new AppError(
    'TALK.RESERVED_KEY',
    `Keys that begin with "${PROMPT_KEY_PREFIX}" are for prompts, which only the service confirmation may post; use another key.`,
  );

export const outboxAway = (cause: unknown): AppError =>
  new AppError('TALK.OUTBOX_AWAY', 'The outbox cannot be used at the moment; try again.', {
    retryable: true,
    cause,
  });
