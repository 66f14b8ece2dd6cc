export { DeadLetterConfig } from './commands/dead-letter.commands';
export { InitConfig } from './commands/init.command';
export { KeysConfig } from './commands/keys-init.command';
export { initInstallation } from './init-installation';
export type { Installation, InstallationOptions } from './init-installation';
export { DoctorConfig } from './doctor/stages/configuration';
export { runCommandLine } from './run-command-line';
