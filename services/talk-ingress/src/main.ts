import { createLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { startTalkIngress } from './start';
import { TalkIngressConfig } from './talk-ingress.config';

const logger = createLogger({ service: 'talk-ingress', level: process.env.LOG_LEVEL ?? 'info' });

void runProcess(logger, () =>
  startTalkIngress({ config: parseEnvironment(TalkIngressConfig, process.env), env: process.env, logger }),
);
