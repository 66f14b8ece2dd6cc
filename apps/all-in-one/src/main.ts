import { parseArgs } from 'node:util';
import { SERVICES } from '@nuqloud/contracts';
import { AppError, createProcessLogger, parseEnvironment, runProcess } from '@nuqloud/platform';
import { AllInOneConfig } from './all-in-one.config';
import { startAllInOne } from './start';

const logger = createProcessLogger('all-in-one', process.env);

/** `--except tool-files` leaves that service to a process of its own. */
const exceptions = (): ReadonlySet<string> => {
  const { values } = parseArgs({ options: { except: { type: 'string', multiple: true, default: [] } } });
  const unknown = values.except.filter((name) => !SERVICES.some((service) => service === name));
  if (unknown.length > 0) {
    throw new AppError(
      'CONFIG.INVALID',
      `--except names no service: ${unknown.join(', ')}. There are: ${SERVICES.join(', ')}.`,
    );
  }
  return new Set(values.except);
};

void runProcess(logger, () =>
  startAllInOne({
    config: parseEnvironment(AllInOneConfig, process.env),
    env: process.env,
    except: exceptions(),
  }),
);
