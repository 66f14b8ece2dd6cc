import { createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { startTalkIngress } from './start';
import { TalkIngressConfig } from './talk-ingress.config';

const logger = createProcessLogger('talk-ingress', process.env);

void runProcess(logger, () =>
  startTalkIngress({ config: parseEnvironment(TalkIngressConfig, process.env), env: process.env, logger }),
);
