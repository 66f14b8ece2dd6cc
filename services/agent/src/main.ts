import { createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { AgentConfig } from './agent.config';
import { startAgent } from './start';

const logger = createProcessLogger('agent', process.env);

void runProcess(logger, () =>
  startAgent({ config: parseEnvironment(AgentConfig, process.env), env: process.env, logger }),
);
