export { DeadLetterConfig } from './commands/dead-letter.commands';
export { InitConfig } from './commands/init.command';
export { KeysConfig } from './commands/keys-init.command';
export { initInstallation } from './init-installation';
export type { Installation, InstallationOptions } from './init-installation';
