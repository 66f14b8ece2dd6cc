export { InvalidToolDefinition } from './define/argument-schema';
export { defineTool } from './define/define-tool';
export type { Instance, PreparedCall, Tool, ToolAnswer, ToolSpecification } from './define/define-tool';
export { ToolFailure } from './define/tool-failure';
export { CALL_ERRORS } from './run/call-verifier';
export type { CreateCall, VerifiedCall } from './run/tool-host';
export { startToolProvider } from './serve/start-tool-provider';
export type { ToolProviderOptions } from './serve/start-tool-provider';
