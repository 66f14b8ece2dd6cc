import { createLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { startToolFiles } from './start';
import { ToolFilesConfig } from './tool-files.config';

const logger = createLogger({ service: 'tool-files', level: process.env.LOG_LEVEL ?? 'info' });

void runProcess(logger, () =>
  startToolFiles({ config: parseEnvironment(ToolFilesConfig, process.env), logger }),
);
