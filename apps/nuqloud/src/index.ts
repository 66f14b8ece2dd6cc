export { initInstallation } from './init-installation';
export type { Installation, InstallationOptions } from './init-installation';
