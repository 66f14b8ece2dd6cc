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
  /** Unique per call; the same id is the same call. */
  callId: z.string().min(1).max(64),
  tool: ToolName,
  arguments: z.record(z.string(), z.unknown()),
  context: ToolCallContext,
  /** The attestation of the message that asked, and its text: the tool checks one against the other. */
  attestation: Attestation,
  text: z.string().max(64_000),
  scope: ResourceScope.optional(),
});
export type ExecuteToolRequest = z.infer<typeof ExecuteToolRequest>;

/** Default cap of a result's text, in characters. */
export const MAX_RESULT_CHARACTERS = 16_000;

/** What a write did, from the tool itself: what the bot claims to have done comes from here. */
export const ToolReceipt = z.object({
  action: z.string().max(200),
  target: z.string().max(4_000),
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
});
export type ToolResult = z.infer<typeof ToolResult>;

export const ExecuteToolReply = z.object({ v: z.literal(1), result: ToolResult });
export type ExecuteToolReply = z.infer<typeof ExecuteToolReply>;

export const ExecuteTool = defineRequest({
  name: 'tools.exec.v1',
  subject: 'tools.exec.{provider}',
  request: ExecuteToolRequest,
  reply: ExecuteToolReply,
  timeoutMs: 60_000,
});
