export { GatewayConfig } from './gateway.config';
export { GatewayModule } from './gateway.module';
export type { GatewayDependencies } from './gateway.module';
export { startGateway } from './start';
export type { GatewayOptions, RunningGateway } from './start';
