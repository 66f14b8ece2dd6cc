import { AuditRecord, AUDIT_STREAM } from '../audit/audit-record.v1';
import { ChatEvent, CHAT_STREAM } from '../chat/chat-event.v1';
import type { ServiceName } from '../services';
import { DEAD_LETTER_STREAM, DeadLetter, DeadLetterReplayed } from './dead-letter.v1';

const subjectsOf = (pattern: string): string => pattern.replace(/\{[a-z]+\}/g, '*');

const DAY_MS = 24 * 60 * 60 * 1000;

/** A durable stream and its consumers; made and changed by `nuqloud init` alone. */
export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Within this window a message with a known id is stored once. */
  readonly duplicateWindowMs: number;
  readonly consumers: readonly ConsumerDefinition[];
}

export interface ConsumerDefinition {
  /** The durable bears its service's name. */
  readonly service: ServiceName;
  readonly ackWaitMs: number;
  /** One message at a time across all replicas keeps the order of arrival. */
  readonly maxAckPending: number;
}

export const STREAMS: readonly StreamDefinition[] = [
  {
    name: CHAT_STREAM,
    subjects: [subjectsOf(ChatEvent.subject)],
    maxAgeMs: 3 * DAY_MS,
    maxBytes: 512 * 1024 * 1024,
    duplicateWindowMs: 10 * 60 * 1000,
    consumers: [{ service: 'agent', ackWaitMs: 5_000, maxAckPending: 1 }],
  },
  {
    name: AUDIT_STREAM,
    subjects: [subjectsOf(AuditRecord.subject)],
    maxAgeMs: 90 * DAY_MS,
    maxBytes: 512 * 1024 * 1024,
    duplicateWindowMs: 2 * 60 * 1000,
    consumers: [],
  },
  {
    name: DEAD_LETTER_STREAM,
    subjects: [subjectsOf(DeadLetter.subject), DeadLetterReplayed.subject],
    maxAgeMs: 30 * DAY_MS,
    maxBytes: 64 * 1024 * 1024,
    duplicateWindowMs: 10 * 60 * 1000,
    consumers: [],
  },
];
