import { createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { GatewayConfig } from './gateway.config';
import { startGateway } from './start';

const logger = createProcessLogger('nextcloud-gateway', process.env);

void runProcess(logger, () =>
  startGateway({ config: parseEnvironment(GatewayConfig, process.env), env: process.env, logger }),
);
