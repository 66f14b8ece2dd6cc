import { createLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { AgentConfig } from './agent.config';
import { startAgent } from './start';

const logger = createLogger({ service: 'agent', level: process.env.LOG_LEVEL ?? 'info' });

void runProcess(logger, () =>
  startAgent({ config: parseEnvironment(AgentConfig, process.env), env: process.env, logger }),
);
