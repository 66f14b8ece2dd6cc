export { APPROVAL_ERRORS } from './approve/approval-verifier';
export type { ActingIdentity, ApprovalOptions } from './approve/call-planner';
export { InvalidToolDefinition } from './define/argument-schema';
export { definePlannedTool, defineTool } from './define/define-tool';
export type {
  Instance,
  PlannedCall,
  PlannedToolSpecification,
  PreparedCall,
  Sight,
  Tool,
  ToolAnswer,
  ToolDescription,
  ToolSpecification,
} from './define/define-tool';
export { ToolFailure } from './define/tool-failure';
export { CALL_ERRORS } from './run/call-verifier';
export type { CreateCall, VerifiedCall } from './run/verified-call';
export { startToolProvider } from './serve/start-tool-provider';
export type { ToolProviderOptions } from './serve/start-tool-provider';
