import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Attestation } from '../chat/attestation';
import { Attachment } from '../chat/chat-event.v1';
import { BotSlug, InstanceId, MessageId, RoomToken, ToolName } from '../ids';

/** Where an administrator restricts what a bot's tool may touch. */
export const ResourceScope = z.strictObject({
  /** Absolute folder paths inside the person's files; everything outside is refused. */
  paths: z.array(z.string().startsWith('/').max(4_000)).min(1).max(50).optional(),
});
export type ResourceScope = z.infer<typeof ResourceScope>;

/** Where and for whom a tool is called. */
export const ToolCallContext = z.object({
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  thread: MessageId.optional(),
  messageId: MessageId,
  attachments: z.array(Attachment).max(20),
  /** BCP 47 language of the person, e.g. `de`. */
  language: z.string().min(2).max(35),
  /** IANA zone of the person, or null where Nextcloud knows none. */
  zone: z.string().max(64).nullable(),
});
export type ToolCallContext = z.infer<typeof ToolCallContext>;

export const ExecuteToolRequest = z.object({
  v: z.literal(1),
  /** Unique per call; names it in logs. */
  callId: z.string().min(1).max(64),
  tool: ToolName,
  arguments: z.record(z.string(), z.unknown()),
  context: ToolCallContext,
  /** The attestation of the message that asked, and its text: the tool checks one against the other. */
  attestation: Attestation,
  text: z.string().max(64_000),
  scope: ResourceScope.optional(),
  /** An administrator wants every call of this tool confirmed. */
  confirmAlways: z.boolean().optional(),
  /** Where content came from that others could write and that the model has before it; empty or missing: untainted. */
  taint: z.array(z.string().min(1).max(300)).max(5).optional(),
});
export type ExecuteToolRequest = z.infer<typeof ExecuteToolRequest>;

/** Default cap of a result's text, in characters. */
export const MAX_RESULT_CHARACTERS = 16_000;

/** What a write did, from the tool itself: what the bot claims to have done comes from here. */
export const ToolReceipt = z.object({
  /** What was done, e.g. `files.delete`. */
  action: z.string().max(200),
  target: z.string().max(4_000),
  /** Revisions, where there are any. */
  before: z.string().max(255).optional(),
  after: z.string().max(255).optional(),
  /** The exact inverse, as a call. */
  undo: z.object({ tool: ToolName, arguments: z.record(z.string(), z.unknown()) }).optional(),
});
export type ToolReceipt = z.infer<typeof ToolReceipt>;

/** MCP-style result. With `isError` the text says what is wrong with which argument and what would be right. */
export const ToolResult = z.object({
  content: z
    .array(z.object({ type: z.literal('text'), text: z.string().max(MAX_RESULT_CHARACTERS) }))
    .max(20),
  isError: z.boolean(),
  structured: z.record(z.string(), z.unknown()).optional(),
  receipt: ToolReceipt.optional(),
  /** Where the content came from, when others than the person could write it. */
  foreign: z.string().min(1).max(300).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** The result, or, where the person has to be asked first, the signed plan: then nothing has been done. */
export const ExecuteToolReply = z.union([
  z.object({ v: z.literal(1), result: ToolResult }),
  z.object({ v: z.literal(1), plan: z.string().max(600_000) }),
]);
export type ExecuteToolReply = z.infer<typeof ExecuteToolReply>;

/** Runs a tool for the attested person, or plans what it would do. */
export const ExecuteTool = defineRequest({
  name: 'tools.exec.v1',
  subject: 'tools.exec.{provider}',
  request: ExecuteToolRequest,
  reply: ExecuteToolReply,
  timeoutMs: 60_000,
});
