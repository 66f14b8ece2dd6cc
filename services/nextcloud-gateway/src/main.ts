import { Environment } from '@nuqloud/contracts';
import { createLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { GatewayConfig } from './gateway.config';
import { startGateway } from './start';

// A wrong level is reported below, with the other variables.
const level = Environment.shape.LOG_LEVEL.catch('info').parse(process.env.LOG_LEVEL);
const logger = createLogger({ service: 'nextcloud-gateway', level });

void runProcess(logger, () =>
  startGateway({ config: parseEnvironment(GatewayConfig, process.env), env: process.env, logger }),
);
