import { createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { ConfirmationConfig } from './confirmation.config';
import { startConfirmation } from './start';

const logger = createProcessLogger('confirmation', process.env);

void runProcess(logger, () =>
  startConfirmation({ config: parseEnvironment(ConfirmationConfig, process.env), env: process.env, logger }),
);
