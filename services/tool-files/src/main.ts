import { createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { startToolFiles } from './start';
import { ToolFilesConfig } from './tool-files.config';

const logger = createProcessLogger('tool-files', process.env);

void runProcess(logger, () =>
  startToolFiles({ config: parseEnvironment(ToolFilesConfig, process.env), logger }),
);
