export { ConfirmationConfig } from './confirmation.config';
export { startConfirmation } from './start';
export type { ConfirmationOptions } from './start';
