import type { AnswerConfirmationReply } from '@nuqloud/contracts';

/**
 * The rules of confirmation (design rules 1 to 8), written down a second time and as plainly as possible. It knows
 * what people mean, because the play that drives it made their words; it shares no code with the service.
 */
const MINUTE = 60_000;
const TEN_MINUTES = 10 * MINUTE;
const THIRTY_MINUTES = 30 * MINUTE;

export interface Where {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly thread: string | undefined;
}

/** What somebody did in a room, with what they meant by it. */
export interface Said extends Where {
  readonly id: string;
  /** `<type>/<id>` */
  readonly who: string;
  readonly kind: 'message' | 'attachment' | 'reaction_added' | 'reaction_removed';
  /** When talk-ingress received it. */
  readonly at: number;
  readonly means: 'yes' | 'no' | 'nothing';
  /** The code that stands beside the word. */
  readonly code: string | undefined;
  /** What it replies to: a prompt, by a line of the bot about it, or anything else. */
  readonly repliesTo: { readonly prompt: string } | 'something else' | undefined;
}

interface ModelAction {
  state: 'asked' | 'claimed' | 'done' | 'failed' | 'unknown';
  lapsed: boolean;
  deadline: number;
  claims: number;
}

export interface ModelPrompt extends Where {
  readonly id: string;
  readonly who: string;
  readonly code: string;
  readonly actions: ModelAction[];
  state: 'asked' | 'approved' | 'rejected' | 'expired' | 'replaced';
  told: boolean;
  /** Who ended it: one message, to one bot. */
  endedBy: string | undefined;
  answeredAt: number;
}

/** What talk-ingress would say of a prompt. */
export interface Posting {
  /** Since when the prompt may be read, although Talk has not said so yet. */
  readonly triedAt: number | undefined;
  readonly postedAt: number | undefined;
  readonly failed: boolean;
  /** Whether the bot has posted anything that is not about this prompt since. */
  readonly othersSince: boolean;
}

export type Expected =
  | { readonly verdict: 'ordinary' | 'consumed' | 'rejected'; readonly open: boolean }
  | { readonly verdict: 'approved'; readonly open: boolean; readonly actions: readonly string[] }
  | 'refused'
  | 'try again';

export class RulesModel {
  readonly prompts: ModelPrompt[] = [];
  /** One service cannot be reached. */
  talkDown = false;
  auditDown = false;

  constructor(private readonly posting: (prompt: ModelPrompt) => Posting) {}

  /** Rule 5: a new prompt for the same person and room, of any bot or thread, replaces the old. */
  asked(prompt: Where & { id: string; who: string; code: string; actions: number }): void {
    for (const old of this.of(prompt)) {
      if (old.state === 'asked') old.state = 'replaced';
      old.told = true;
    }
    this.prompts.push({
      ...prompt,
      actions: Array.from({ length: prompt.actions }, () => ({
        state: 'asked',
        lapsed: false,
        deadline: 0,
        claims: 0,
      })),
      state: 'asked',
      told: false,
      endedBy: undefined,
      answeredAt: 0,
    });
  }

  /** Rules 4, 5, 7 and 8. */
  answer(said: Said, now: number): Expected {
    if (!said.who.startsWith('users/')) return { verdict: 'ordinary', open: false };
    const key = JSON.stringify([said.instance, said.bot, said.room, said.id]);
    const ended = this.of(said).find((prompt) => prompt.endedBy === key && said.kind === 'message');
    const attested = said.at - (said.at % 1_000) + THIRTY_MINUTES > now;
    if (ended) return this.verdictOf(ended, this.pending(said) !== undefined, attested, now);
    if (!attested) return 'refused';
    const prompt = this.pending(said);
    if (!prompt) return { verdict: 'ordinary', open: false };
    if (this.talkDown) return 'try again';
    const { triedAt, postedAt, failed, othersSince } = this.posting(prompt);
    if (failed)
      return this.end(prompt, { state: 'expired', told: true }, { verdict: 'ordinary', open: false });
    if (postedAt === undefined || said.at <= postedAt) {
      // Rule 4 counts from Talk's acceptance. Who can have read the prompt before is asked for the code.
      const means = triedAt !== undefined && said.at > triedAt ? this.meansTo(prompt, said) : 'nothing';
      if (means === 'nothing' || prompt.state !== 'asked') return { verdict: 'ordinary', open: true };
      return means === 'no'
        ? this.end(prompt, { state: 'rejected', endedBy: key }, { verdict: 'rejected', open: false })
        : this.codeAsked();
    }
    const over = prompt.state === 'expired' || said.at >= postedAt + TEN_MINUTES;
    if (said.kind.startsWith('reaction')) {
      // Rule 4: a 👍 reaction by the asker only gets the hint to write yes.
      const hint = said.kind === 'reaction_added' && said.means === 'yes' && !over;
      return { verdict: hint ? 'consumed' : 'ordinary', open: true };
    }
    const means = this.meansTo(prompt, said);
    if (over) {
      // Rule 7: told once, at that person's next message.
      return means === 'yes'
        ? this.end(
            prompt,
            { state: 'expired', told: true, endedBy: key },
            { verdict: 'consumed', open: false },
          )
        : this.end(prompt, { state: 'expired', told: true }, { verdict: 'ordinary', open: false });
    }
    if (means === 'nothing') return { verdict: 'ordinary', open: true };
    if (means === 'no') {
      return this.end(prompt, { state: 'rejected', endedBy: key }, { verdict: 'rejected', open: false });
    }
    const surely = said.code !== undefined || said.repliesTo !== undefined;
    if (othersSince && !surely) return this.codeAsked();
    if (this.auditDown) return 'try again';
    Object.assign(prompt, { state: 'approved', endedBy: key, answeredAt: now });
    return this.verdictOf(prompt, false, attested, now);
  }

  /** Rule 6: one of two claims wins, by the service whose action it is, within the 60 s of the grant. */
  claim(
    of: { confirmation: string; n: number; exp: number; forService: string },
    claimant: string,
    now: number,
  ): 'claimed' | 'CONFIRM.INVALID_GRANT' | 'CONFIRM.ALREADY_CLAIMED' | 'try again' {
    const action = this.action(of.confirmation, of.n);
    if (claimant !== of.forService || now >= of.exp * 1_000) return 'CONFIRM.INVALID_GRANT';
    if (action.state !== 'asked') return 'CONFIRM.ALREADY_CLAIMED';
    if (action.lapsed) return 'CONFIRM.INVALID_GRANT';
    if (this.auditDown) return 'try again';
    Object.assign(action, { state: 'claimed', deadline: now + MINUTE, claims: action.claims + 1 });
    return 'claimed';
  }

  settle(confirmation: string, n: number, outcome: 'done' | 'failed' | 'unknown'): 'settled' | 'try again' {
    const action = this.action(confirmation, n);
    if (action.state === 'done' || action.state === 'failed') return 'settled';
    if (this.auditDown) return 'try again';
    action.state = outcome;
    return 'settled';
  }

  /** Rule 7, and what is too late to begin. */
  time(now: number): void {
    for (const prompt of this.prompts) {
      for (const action of prompt.actions) {
        if (action.state === 'claimed' && action.deadline <= now) action.state = 'unknown';
        if (
          prompt.state === 'approved' &&
          action.state === 'asked' &&
          prompt.answeredAt < now - THIRTY_MINUTES
        ) {
          action.lapsed = true;
        }
      }
    }
  }

  /** The service closed a prompt by itself: it may only when no answer can be in time any more. */
  closedByItself(id: string, told: boolean, now: number): boolean {
    const prompt = this.prompt(id);
    const { postedAt, failed } = this.posting(prompt);
    const over = postedAt !== undefined && now > postedAt + TEN_MINUTES + THIRTY_MINUTES && !told;
    Object.assign(prompt, { state: 'expired', told });
    return over || (failed && told);
  }

  prompt(id: string): ModelPrompt {
    const prompt = this.prompts.find((candidate) => candidate.id === id);
    if (!prompt) throw new Error('There is no such prompt.');
    return prompt;
  }

  /** This person's prompts in this room, of any bot and thread. */
  private of({ instance, room, who }: { instance: string; room: string; who: string }): ModelPrompt[] {
    return this.prompts.filter(
      (prompt) => prompt.instance === instance && prompt.room === room && prompt.who === who,
    );
  }

  /** The one that waits for this person's answer to this bot, or whose end has not been told yet. */
  private pending(said: Said): ModelPrompt | undefined {
    return this.of(said).find(
      (prompt) =>
        prompt.bot === said.bot && (prompt.state === 'asked' || (prompt.state === 'expired' && !prompt.told)),
    );
  }

  /** Rule 4: a new text message, in the same thread. Rule 5: what names another prompt, or replies to something else, is none. */
  private meansTo(prompt: ModelPrompt, said: Said): 'yes' | 'no' | 'nothing' {
    if (said.kind !== 'message' || said.thread !== prompt.thread) return 'nothing';
    if (said.code !== undefined) return said.code === prompt.code ? said.means : 'nothing';
    if (said.repliesTo === undefined) return said.means;
    return said.repliesTo !== 'something else' && said.repliesTo.prompt === prompt.id
      ? said.means
      : 'nothing';
  }

  private end(
    prompt: ModelPrompt,
    how: Partial<ModelPrompt>,
    expected: { verdict: 'ordinary' | 'consumed' | 'rejected'; open: boolean },
  ): Expected {
    if (this.auditDown) return 'try again';
    Object.assign(prompt, how);
    return expected;
  }

  private codeAsked(): Expected {
    return this.auditDown ? 'try again' : { verdict: 'consumed', open: true };
  }

  private verdictOf(prompt: ModelPrompt, open: boolean, attested: boolean, now: number): Expected {
    if (prompt.state === 'expired') return { verdict: 'consumed', open };
    if (prompt.state === 'rejected') return { verdict: 'rejected', open };
    return {
      verdict: 'approved',
      open,
      actions: prompt.actions.map(({ state, lapsed, deadline }) => {
        if (state === 'asked') return attested && !lapsed ? 'approved' : 'lapsed';
        return state === 'claimed' ? (deadline > now ? 'claimed' : 'unknown') : state;
      }),
    };
  }

  private action(confirmation: string, n: number): ModelAction {
    const action = this.prompt(confirmation).actions[n - 1];
    if (!action) throw new Error('There is no such action.');
    return action;
  }
}

/** A reply in the words of the model. */
export const summaryOf = (reply: AnswerConfirmationReply): Expected =>
  reply.verdict === 'approved'
    ? {
        verdict: reply.verdict,
        open: reply.open,
        actions: reply.actions.map((action) =>
          action.state === 'settled' ? action.outcome.state : action.state,
        ),
      }
    : { verdict: reply.verdict, open: reply.open };
