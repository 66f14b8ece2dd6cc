import { Injectable } from '@nestjs/common';
import { admit, needsGroups } from '../domain/admission';
import { commandIn, meansNoToo } from '../domain/command';
import { helpText } from '../domain/help-text';
import type { HelpTool } from '../domain/help-text';
import type { Loadout } from '../domain/loadout';
import { phrasesFor } from '../domain/phrases';
import { UndoLast } from '../confirm/undo-last';
import type { Move } from '../domain/turn';
import { KnownTools } from '../ports/bots';
import { Conversations } from '../ports/turns';
import { personKey } from './turn-work';
import type { Person, TurnWork } from './turn-work';

/** An attestation is good for 30 minutes and a turn may take 10: later than this one cannot begin any more. */
const LATEST_START_MS = 20 * 60 * 1000;

export type Outcome =
  | { readonly kind: 'say'; readonly text: string; readonly outcome: 'answered' | 'failed' }
  /** Over to the turn, which begins so; `tools` tells whether the model may use any. */
  | { readonly kind: 'begin'; readonly first: Move; readonly tools: boolean };

/** Everything that is answered without a model: refusals, `help`, `/reset`, `undo`, answers to a prompt, messages that waited too long. */
@Injectable()
export class QuickAnswer {
  constructor(
    private readonly conversations: Conversations,
    private readonly knownTools: KnownTools,
    private readonly undoLast: UndoLast,
  ) {}

  async find(
    work: TurnWork,
    person: Person,
    language: string,
    loadout: () => Promise<Loadout>,
    now: Date,
  ): Promise<Outcome> {
    const phrases = phrasesFor(language);
    const { bot, event, item } = work;
    if (now.getTime() - item.receivedAt.getTime() > LATEST_START_MS) return failed(phrases.writeAgain);
    if (event.actor.type === 'users' && person === null && needsGroups(bot.users))
      return failed(phrases.peopleUnknown);
    const admission = admit(bot, event.actor, person?.groups ?? []);
    if (!admission.admitted)
      return failed(admission.reason === 'guest' ? phrases.guestRefused : phrases.notAllowed);
    if (work.answer) return ofAnswer(work.answer, phrases);
    switch (commandIn(work.text)) {
      case 'help':
        return say(await this.help(work, language, admission.tools, loadout));
      case 'reset':
        return say(await this.reset(work, language));
      case 'undo':
        // Said again it is the same "no", and nothing that stood there before is to be lost by it.
        if (work.asked === 'declined' && meansNoToo(work.text)) return say(phrases.nothingToCancel);
        return admission.tools
          ? { kind: 'begin', first: await this.undoLast.find(work, language, now), tools: false }
          : failed(phrases.nothingToUndo);
      case undefined:
        return { kind: 'begin', first: { kind: 'ask', purpose: 'answer' }, tools: admission.tools };
    }
  }

  private async help(
    work: TurnWork,
    language: string,
    tools: boolean,
    loadout: () => Promise<Loadout>,
  ): Promise<string> {
    const listed = tools ? await this.listed(work, await loadout()) : [];
    return helpText(language, work.bot, tools ? 'user' : 'guest', listed);
  }

  private async listed(work: TurnWork, { tools, away }: Loadout): Promise<HelpTool[]> {
    const present = tools.map(({ definition: { name, label, summary } }) => ({
      name,
      label: label ?? name,
      summary: summary ?? '',
      away: false,
    }));
    // A tool nobody ever offered has no words of its own; its name must do.
    const known = new Map(
      (await this.knownTools.byName(work.bot.instance, away)).map((tool) => [tool.name, tool]),
    );
    const absent = away.map((name) => ({
      name,
      label: known.get(name)?.label ?? name,
      summary: known.get(name)?.summary ?? '',
      away: true,
    }));
    return [...present, ...absent];
  }

  private async reset(work: TurnWork, language: string): Promise<string> {
    const { moderator } = work.event.actor;
    await this.conversations.forget(
      work.lease,
      work.key,
      moderator ? 'everybody' : { person: personKey(work) },
    );
    return moderator ? phrasesFor(language).resetRoom : phrasesFor(language).resetOwn;
  }
}

const ofAnswer = (
  answer: NonNullable<TurnWork['answer']>,
  phrases: ReturnType<typeof phrasesFor>,
): Outcome => {
  switch (answer.verdict) {
    case 'approved':
      return {
        kind: 'begin',
        first: { kind: 'act', confirmation: answer.confirmation },
        tools: false,
      };
    case 'rejected':
      return say(phrases.cancelled);
    case 'unjudged':
      return failed(phrases.confirmationAway);
  }
};

const say = (text: string): Outcome => ({ kind: 'say', text, outcome: 'answered' });
const failed = (text: string): Outcome => ({ kind: 'say', text, outcome: 'failed' });
