import { AppError, describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { Tool } from '../define/define-tool';
import { ToolFailure } from '../define/tool-failure';

type Definition = Tool<unknown>['definition'];

/** What a caller is told of a tool that did not end in time. */
export const tooLate = (definition: Definition): ToolFailure =>
  new ToolFailure(`${definition.name} took too long and was stopped: ${effectOf(definition)}.`);

/** The messages of our own errors are written for people; anything else may quote what it should not. */
export const wordsFor = (definition: Definition, error: unknown): string =>
  error instanceof AppError
    ? error.message
    : `${definition.name} failed because of an error of its own: ${effectOf(definition)}.`;

/** As `wordsFor`, before anything was sent that changes something. */
export const wordsBeforeActing = ({ name }: Definition, error: unknown): string =>
  error instanceof AppError
    ? `Nothing was done: ${error.message}`
    : `Nothing was done: ${name} failed because of an error of its own.`;

export const tooLateToBegin = ({ name }: Definition): ToolFailure =>
  new ToolFailure(`${name} could not begin in time.`);

export const logFailure = (logger: Logger, tool: string, callId: string, error: unknown): void => {
  const what = { event: 'tool.failed', tool, callId, ...describeError(error) };
  if (error instanceof AppError) logger.info(what);
  else logger.error(what);
};

const effectOf = ({ policy }: Definition): string =>
  policy.readOnly
    ? 'there is no result, and nothing was changed'
    : 'whether anything was changed is not known; look before you try again';
