import { AppError } from '@nuqloud/platform';

/**
 * What a tool throws when it cannot do what was asked: `message` goes to the model and through it
 * to the person, so it says in one or two sentences what is wrong and what would be right.
 */
export class ToolFailure extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('TOOL.FAILURE', message, options);
  }
}
