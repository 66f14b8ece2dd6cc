import type { AnswerConfirmationReply, ChatMessage, ChatReaction, Proposal } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { z } from 'zod';

export type Verdict = AnswerConfirmationReply;

/** `confirmation`, which asks people and judges their answers; the agent only relays. */
export abstract class Confirmations {
  /** @returns the prompt as it is posted, without its code */
  abstract propose(
    request: {
      readonly attestation: string;
      readonly proposals: readonly Proposal[];
      readonly language: string;
      readonly zone: string | null;
    },
    context: MessageContext,
  ): Promise<{ confirmation: string; text: string }>;

  /** Whether this is the answer to a prompt. The same message again gets the same verdict. */
  abstract judge(event: ChatMessage | ChatReaction, context: MessageContext): Promise<Verdict>;

  /** For a third party's tool, which cannot claim itself. Returns the token that settles the claim. */
  abstract claim(grant: string, context: MessageContext): Promise<string>;
  /** Never rejects: what was done is done, whether it can be told or not. */
  abstract settle(
    claim: string,
    outcome: { readonly state: 'done' | 'failed' | 'unknown'; readonly text: string },
    context: MessageContext,
  ): Promise<void>;
}

export interface Asked {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  /** `<type>/<id>` */
  readonly person: string;
}

/**
 * - `open`: may be answered with any next message;
 * - `unjudged`: as well, but an answer could not be judged, and the person was told that nothing was done;
 * - `declined`: not any more, and their "no" was the last that the person said to the bot there.
 */
export const PromptState = z.enum(['open', 'unjudged', 'declined']);
export type PromptState = z.infer<typeof PromptState>;

/** Who was asked for a "yes". */
export abstract class OpenPrompts {
  /** Before the person is asked, so that no crash in between loses the answer. */
  abstract opened(asked: Asked): Promise<void>;
  abstract stateOf(asked: Asked): Promise<PromptState | undefined>;
  /** Where the person was asked. */
  abstract mark(asked: Asked, state: PromptState): Promise<void>;
  abstract closed(asked: Asked): Promise<void>;
  /** The person has said something else since: a "no" is not the last any more. What was asked since stays. */
  abstract wentOn(asked: Asked): Promise<void>;
}
