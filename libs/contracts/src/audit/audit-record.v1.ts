import { z } from 'zod';
import { defineStream } from '../bus/define-message';
import { ActingMode } from '../gateway/gateway-http';
import { BotSlug, InstanceId, MessageId, ProviderId, RoomToken, ToolName } from '../ids';
import { ActionHash, PlannedTarget } from '../tools/planned-action.v1';

export const AUDIT_STREAM = 'AUDIT';

const base = {
  v: z.literal(1),
  /** Names this record; where it may have to be written again, it follows from what it records. */
  id: z.uuid(),
  /** When it happened, by the writing service's clock. */
  at: z.iso.datetime(),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  /** Message under which it happened. */
  message: MessageId,
  /** `users/<uid>`, as attested. */
  person: z.string().max(1_200),
};

const aboutAction = {
  confirmation: z.uuid(),
  n: z.number().int().min(1),
  provider: ProviderId,
  tool: ToolName,
  hash: ActionHash,
};

const fromConfirmation = { ...base, service: z.literal('confirmation') };

/** Who did or approved what. It holds names of things, never a message's text or a file's content. */
export const AuditRecordBody = z.discriminatedUnion('kind', [
  z.object({
    ...fromConfirmation,
    ...aboutAction,
    kind: z.literal('action.proposed'),
    targets: z.array(PlannedTarget).max(50),
    mode: ActingMode.nullable(),
    profile: z.string().max(40).nullable(),
  }),
  z.object({
    ...fromConfirmation,
    kind: z.literal('confirmation.answered'),
    confirmation: z.uuid(),
    verdict: z.enum(['approved', 'rejected', 'expired', 'replaced', 'code-asked']),
  }),
  z.object({
    ...fromConfirmation,
    ...aboutAction,
    kind: z.literal('action.claimed'),
    claimant: z.string().max(40),
  }),
  z.object({
    ...fromConfirmation,
    ...aboutAction,
    kind: z.literal('action.settled'),
    outcome: z.enum(['done', 'failed', 'unknown']),
  }),
  /** Written before the request leaves: a write that cannot be recorded is refused. */
  z.object({
    ...base,
    service: z.literal('nextcloud-gateway'),
    kind: z.literal('nextcloud.write'),
    caller: z.string().max(40),
    tool: ToolName,
    mode: ActingMode,
    profile: z.string().max(40).nullable(),
    uid: z.string().min(1).max(64),
    method: z.string().max(20),
    /** Below Nextcloud's base URL, without the query. */
    path: z.string().max(16_000),
    destination: z.string().max(16_000).optional(),
  }),
  z.object({
    ...base,
    service: z.literal('nextcloud-gateway'),
    kind: z.literal('nextcloud.written'),
    /** The record of the attempt. */
    attempt: z.uuid(),
    /** Nextcloud's HTTP status, or null where none came. */
    status: z.number().int().nullable(),
  }),
]);
export type AuditRecordBody = z.infer<typeof AuditRecordBody>;

/** Stands before the record in what is signed, so that a signature over a record is one over nothing else. */
export const AUDIT_SIGNATURE_PREFIX = 'nuqloud-audit.v1.';

/** As it stands in the stream: whoever reads it drops what `record.service` has not signed. */
export const SignedAuditRecord = z.object({
  v: z.literal(1),
  record: AuditRecordBody,
  /** Names the key of `record.service` in `public.json`. */
  kid: z.string().min(1).max(64),
  /** Ed25519 over the UTF-8 of prefix and canonical JSON (RFC 8785) of the record, base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});
export type SignedAuditRecord = z.infer<typeof SignedAuditRecord>;

/** Kept in a stream that nobody but `nuqloud init` can change; each service writes to its own subject. */
export const AuditRecord = defineStream({
  name: 'audit.v1',
  stream: AUDIT_STREAM,
  subject: 'audit.{service}',
  body: SignedAuditRecord,
});
