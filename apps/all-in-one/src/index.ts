export { AllInOneConfig } from './all-in-one.config';
export { startAllInOne } from './start';
export type { AllInOneOptions, RunningAllInOne } from './start';
