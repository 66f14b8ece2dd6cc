export { AgentConfig } from './agent.config';
export { applyProvision as applyAgentProvision } from './apply-provision/apply-provision';
export { startAgent } from './start';
export type { AgentOptions } from './start';
