import type { AnswerConfirmationReply, RepliedMessage } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import { AppError } from '@nuqloud/platform';
import { claimsOf } from '../confirmation-bed';
import { AGREEING, NO, NOTHING, OTHER_EMOJI, PEOPLE, ROOMS, YES } from './plays';
import type { Step } from './plays';
import { RulesModel, summaryOf } from './rules-model';
import type { Expected, ModelPrompt, Said, Where } from './rules-model';
import type { Question, Relayed, Stage } from './stage';

type Ask = Extract<Step, { do: 'ask' }>;
type Say = Extract<Step, { do: 'say' }>;
type Claim = Extract<Step, { do: 'claim' }>;
type Settle = Extract<Step, { do: 'settle' }>;

interface Grant {
  readonly token: string;
  readonly confirmation: string;
  readonly n: number;
  readonly exp: number;
  readonly forService: string;
}

/** Plays the steps against the service and the model, and compares them after each. */
export class Play {
  private readonly model: RulesModel;
  private readonly questions: Question[] = [];
  private readonly messages: Relayed[] = [];
  private readonly grants: Grant[] = [];
  private readonly claims: { token: string; confirmation: string; n: number }[] = [];

  constructor(
    private readonly stage: Stage,
    /** With the owner's login, to look into the tables. */
    private readonly owner: PrismaClient,
  ) {
    this.model = new RulesModel((prompt) => stage.talk.posting(prompt));
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.do(step);
    await this.compareWithTables();
    this.compareWithAudit();
  }

  private async do(step: Step): Promise<void> {
    const { stage, model } = this;
    switch (step.do) {
      case 'ask':
        return this.ask(step);
      case 'ask again': {
        const question = pick(this.questions, step.which);
        if (question) await this.propose(question);
        return;
      }
      case 'say':
        return this.say(step);
      case 'say again': {
        const message = pick(this.messages, step.which);
        if (message) await this.relay(message, step.twiceAtOnce);
        return;
      }
      case 'talk takes what waits':
        return stage.talk.takeWaiting();
      case 'bot posts': {
        const { instance, room, bot } = (step.near && model.prompts.at(-1)) || placeOf(step);
        return stage.talk.postOther(instance, room, bot);
      }
      case 'time passes':
      case 'clocks jump':
        stage.ingressClock += step.ms;
        return;
      case 'the last prompt ends': {
        const posted = stage.talk.timeline.findLast(({ part }) => part === 'prompt');
        if (posted) stage.ingressClock = posted.postedAt + 600_000 + step.ms;
        return;
      }
      case 'clocks differ':
        stage.skew = step.ms;
        return;
      case 'service restarts':
        return stage.restart();
      case 'service sweeps':
        return this.sweep();
      case 'talk-ingress fails':
        stage.talk.down = model.talkDown = !model.talkDown;
        return;
      case 'audit fails':
        stage.audit.down = model.auditDown = !model.auditDown;
        return;
      case 'claim':
        return this.claim(step);
      case 'settle':
        return this.settle(step);
    }
  }

  private async ask(step: Ask): Promise<void> {
    const where = placeOf(step);
    const who = PEOPLE[step.who] ?? '';
    const message = this.stage.newMessage();
    const attestation = await this.stage.attest(where, { who, id: message }, 'please delete it');
    const question = { ...where, who, message, providers: step.actions, attestation };
    this.questions.push(question);
    this.stage.talk.nextFate = step.fate;
    await this.propose(question);
    this.stage.ingressClock += step.later;
  }

  private async propose(question: Question): Promise<void> {
    const known = this.model.prompts.length;
    const asked = await this.stage.ask(question).catch(codeOf);
    const [row] = await this.owner.confirmation.findMany({ where: placeInTable(question) });
    if (row && !this.model.prompts.some(({ id }) => id === row.id)) {
      expect(this.model.auditDown).toBe(false);
      this.model.asked({ ...question, id: row.id, code: row.code, actions: question.providers.length });
    }
    if (typeof asked === 'string') {
      const mayFail = this.model.talkDown || this.model.auditDown || this.isOver(question);
      expect({ asked, mayFail }).toEqual({ asked, mayFail: true });
      return;
    }
    expect(asked.confirmation).toBe(row?.id);
    // The model is told what was asked, not the code: it could ask for it.
    expect(asked.text).not.toContain(row?.code);
    expect(this.model.prompts.length - known).toBeLessThanOrEqual(1);
  }

  /** Whether nobody may act on the message that asked any more. */
  private isOver({ attestation }: Question): boolean {
    return claimsOf(attestation).exp * 1_000 <= this.stage.serviceClock;
  }

  private async say(step: Say): Promise<void> {
    const { where, who } = this.whereAndWho(step);
    const id = this.stage.newMessage();
    const bots =
      ROOMS.find(({ instance, room }) => instance === where.instance && room === where.room)?.bots ?? [];
    for (const bot of step.toAllBots ? bots : [where.bot]) {
      const message = await this.compose(step, { ...where, bot }, who, id);
      this.messages.unshift(message);
      await this.relay(message, step.twiceAtOnce);
    }
    this.stage.ingressClock += 1;
  }

  private whereAndWho(step: Say): { where: Where; who: string } {
    const last = this.model.prompts.at(-1);
    const there = last
      ? { instance: last.instance, room: last.room, bot: last.bot, thread: last.thread }
      : placeOf(step);
    const who = last?.who ?? PEOPLE[0] ?? '';
    switch (step.near) {
      case 'anywhere':
        return { where: placeOf(step), who: PEOPLE[step.who] ?? '' };
      case 'there':
        return { where: there, who };
      case 'other person':
        return { where: there, who: who === 'users/bob' ? 'users/alice' : 'users/bob' };
      case 'guest':
        return { where: there, who: who.replace('users/', 'guests/') };
      case 'other case':
        return { where: there, who: who.replace(/\/./, (letter) => letter.toUpperCase()) };
      case 'other room':
        return { where: { ...there, room: there.room === 'roomtwo2' ? 'roomone1' : 'roomtwo2' }, who };
      case 'other instance':
        return { where: { ...there, instance: there.instance === 'other' ? 'default' : 'other' }, who };
      case 'other bot':
        return { where: { ...there, bot: there.bot === 'nuq' ? 'aux' : 'nuq' }, who };
      case 'other thread':
        return { where: { ...there, thread: there.thread === undefined ? '77' : undefined }, who };
    }
  }

  private async compose(step: Say, where: Where, who: string, id: string): Promise<Relayed> {
    const mine = this.model.prompts.filter(
      (prompt) => prompt.who === who && prompt.instance === where.instance && prompt.room === where.room,
    );
    const isReaction = step.kind.startsWith('reaction');
    const worded = isReaction ? react(step) : this.word(step, where, mine);
    const quoted = isReaction ? undefined : this.quote(step, mine);
    const said: Said = {
      ...where,
      id,
      who,
      kind: step.kind,
      at: this.stage.ingressClock,
      means: worded.means,
      code: worded.code,
      repliesTo: quoted?.means,
    };
    const attestation = await this.stage.attest(where, said, worded.text, quoted?.message);
    const request = { v: 1 as const, attestation, text: worded.text };
    return { said, request: { ...request, ...(quoted && { quoted: quoted.message }) } };
  }

  private word(step: Say, { bot }: Where, mine: readonly ModelPrompt[]) {
    const words = { yes: YES, no: NO, nothing: NOTHING }[step.means];
    const word = words[step.wording % words.length] ?? '';
    const code = this.codeFor(step, mine);
    const call = step.called === '@' ? `@${bot} ` : step.called === 'name' ? `${bot.toUpperCase()}: ` : '';
    if (code === undefined) return { text: call + word, means: step.means, code };
    if (step.code === 'alone') return { text: `${call}${code}`, means: 'nothing' as const, code: undefined };
    const text = step.codeFirst ? `${call}${code.toLowerCase()} ${word}` : `${call}${word} (${code})`;
    return { text, means: step.means, code };
  }

  private codeFor({ code }: Say, mine: readonly ModelPrompt[]): string | undefined {
    switch (code) {
      case 'none':
        return undefined;
      case 'invented':
        return 'B0B';
      case 'old':
        return mine.at(0)?.code ?? 'B0B';
      case 'own':
      case 'alone':
        return mine.at(-1)?.code ?? 'B0B';
    }
  }

  private quote(
    { quotes }: Say,
    mine: readonly ModelPrompt[],
  ): { message: RepliedMessage; means: Said['repliesTo'] } | undefined {
    if (quotes === 'nothing') return undefined;
    const prompt = quotes === 'old prompt' ? mine.at(0) : mine.at(-1);
    const part = quotes === 'line' ? 'code' : 'prompt';
    const posted = this.stage.talk.timeline.findLast(
      (post) => post.prompt === prompt?.id && post.part === part,
    );
    const byBot = quotes !== 'copy by a person';
    const other = quotes === 'something else' || !posted || !prompt;
    return {
      message: {
        messageId: '7',
        actor: { type: byBot ? 'bots' : 'users', id: 'bot-1', name: 'NuQ' },
        text: other ? 'Shall I?' : posted.text,
      },
      means: other || !byBot ? 'something else' : { prompt: prompt.id },
    };
  }

  private async relay(message: Relayed, twiceAtOnce: boolean): Promise<void> {
    const expected = this.model.answer(message.said, this.stage.serviceClock);
    const replies = await Promise.all(
      Array.from({ length: twiceAtOnce ? 2 : 1 }, () => this.stage.answer(message).catch(codeOf)),
    );
    for (const reply of replies) {
      expect(this.told(reply)).toEqual(expected);
      if (typeof reply !== 'string' && reply.verdict === 'approved') this.keepGrants(reply);
    }
    // Whoever was second met what the first had left.
    if (twiceAtOnce) expect(this.model.answer(message.said, this.stage.serviceClock)).toEqual(expected);
  }

  private told(reply: AnswerConfirmationReply | string): Expected {
    if (typeof reply !== 'string') return summaryOf(reply);
    return reply === 'CONFIRM.INVALID_ATTESTATION' ? 'refused' : 'try again';
  }

  private keepGrants(reply: Extract<AnswerConfirmationReply, { verdict: 'approved' }>): void {
    for (const action of reply.actions) {
      if (action.state !== 'approved') continue;
      this.grants.unshift({
        token: action.grant,
        confirmation: reply.confirmation,
        n: action.n,
        exp: claimsOf(action.grant).exp,
        forService: action.action.provider === 'files' ? 'tool-files' : 'agent',
      });
    }
  }

  /** With two grants, or the same one twice, both are claimed at the same moment. */
  private async claim(step: Claim): Promise<void> {
    const grants = step.grants.flatMap((which) => pick(this.grants, which) ?? []);
    const now = this.stage.serviceClock;
    const by = (grant: Grant) => (step.by === 'right' ? grant.forService : step.by);
    const expected = grants.map((grant) => this.model.claim(grant, by(grant), now));
    const results = await Promise.all(grants.map((grant) => this.tryClaim(grant, by(grant))));
    // Which of two wins is open; that one does, and only one, is not.
    expect([...results].sort()).toEqual([...expected].sort());
  }

  private async tryClaim({ token, confirmation, n }: Grant, claimant: string): Promise<string> {
    try {
      this.claims.unshift({ token: await this.stage.claim(token, claimant), confirmation, n });
      return 'claimed';
    } catch (error) {
      return isRetryable(error) ? 'try again' : codeOf(error);
    }
  }

  private async settle({ which, outcome }: Settle): Promise<void> {
    const claim = pick(this.claims, which);
    if (!claim) return;
    const expected = this.model.settle(claim.confirmation, claim.n, outcome);
    const settled = await this.stage.settle(claim.token, outcome).then(
      () => 'settled',
      (error: unknown) => (isRetryable(error) ? 'try again' : codeOf(error)),
    );
    expect(settled).toBe(expected);
  }

  private async sweep(): Promise<void> {
    if (this.model.talkDown || this.model.auditDown) return;
    await this.stage.sweep();
    this.model.time(this.stage.serviceClock);
    for (const row of await this.owner.confirmation.findMany({ where: { state: 'expired' } })) {
      const prompt = this.model.prompt(row.id);
      if (prompt.state !== 'asked') continue;
      expect(this.model.closedByItself(row.id, row.told, this.stage.serviceClock)).toBe(true);
    }
  }

  /** What is over holds no text and no action any more. */
  private async compareWithTables(): Promise<void> {
    const rows = await this.owner.confirmation.findMany({ include: { actions: true } });
    expect(rows.map(({ id, state }) => ({ id, state })).sort(byId)).toEqual(
      this.model.prompts.map(({ id, state }) => ({ id, state })).sort(byId),
    );
    for (const { state, text, actions } of rows) {
      expect(text !== '').toBe(state === 'asked');
      for (const action of actions) {
        const open =
          state === 'asked' ||
          (state === 'approved' && ['asked', 'claimed', 'unknown'].includes(action.state));
        if (!open) expect(action.action).toBeNull();
      }
    }
  }

  /** Nothing was approved, or claimed, that is not recorded; and no action was claimed twice. */
  private compareWithAudit(): void {
    for (const { id, state, actions } of this.model.prompts) {
      const approvals = this.stage.audit.count(
        (entry) =>
          entry.kind === 'confirmation.answered' && entry.confirmation === id && entry.verdict === 'approved',
      );
      expect(approvals).toBe(state === 'approved' ? 1 : 0);
      for (const [index, { claims }] of actions.entries()) {
        expect(claims).toBeLessThanOrEqual(1);
        expect(
          this.stage.audit.count(
            (entry) => entry.kind === 'action.claimed' && entry.confirmation === id && entry.n === index + 1,
          ),
        ).toBe(claims);
      }
    }
  }
}

const placeOf = (step: { room: number; bot: number; thread?: string | undefined }): Where => {
  const { instance, room, bots } = ROOMS[step.room] ?? ROOMS[0];
  return { instance, room, bot: bots[step.bot % bots.length] ?? bots[0], thread: step.thread };
};

const placeInTable = ({ instance, bot, room, message }: Question) => ({ instance, bot, room, message });

const react = ({ means, wording }: Say): { text: string; means: 'yes' | 'nothing'; code: undefined } => {
  const emoji = means === 'yes' ? AGREEING : OTHER_EMOJI;
  return {
    text: emoji[wording % emoji.length] ?? '',
    means: means === 'yes' ? 'yes' : 'nothing',
    code: undefined,
  };
};

const pick = <T>(things: readonly T[], which: number): T | undefined =>
  things.length === 0 ? undefined : things[which % things.length];

const codeOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  throw error;
};

const isRetryable = (error: unknown): boolean => error instanceof AppError && error.retryable;

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
