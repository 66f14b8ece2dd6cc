import type { ChatAttachment, ChatMessage, PersonDescription } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import type { PromptState, Verdict } from '../ports/confirmations';
import type { Bot } from '../ports/bots';
import type { InboxItem, Lease } from '../ports/rooms';
import type { ConversationKey } from '../ports/turns';

/** One message that the bot was addressed with, and everything that is known around it. */
export interface TurnWork {
  readonly lease: Lease;
  readonly item: InboxItem;
  readonly event: ChatMessage | ChatAttachment;
  readonly bot: Bot;
  /** Without a leading trigger. */
  readonly text: string;
  /** What `confirmation` says of it, when it answers a prompt. */
  readonly answer:
    Extract<Verdict, { verdict: 'approved' | 'rejected' }> | { readonly verdict: 'unjudged' } | undefined;
  /** What the writer had been asked here before. */
  readonly asked: PromptState | undefined;
  /** Who wrote it, where that is being asked already. */
  readonly writer: Promise<Person> | undefined;
  readonly key: ConversationKey;
  readonly context: MessageContext;
  /** Aborts when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
}

/** What Nextcloud says of the writer; null for guests and others, and while it cannot be asked. */
export type Person = PersonDescription | null;

/** `users/alice`: whose part of the conversation it is. */
export const personKey = ({ event }: TurnWork): string => `${event.actor.type}/${event.actor.id}`;
