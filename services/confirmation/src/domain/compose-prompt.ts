import type { PlannedEffect } from '@nuqloud/contracts';
import { CONFIRMATION_REFUSALS } from '@nuqloud/contracts';
import { ConfirmationRefusal } from './confirmation-refusal';
import { detailsOf, sourcesOf, titleOf } from './describe-effect';
import type { Speech } from './describe-effect';
import type { Phrases } from './phrases/phrases';
import { phrasesFor } from './phrases/phrases';
import type { Prompt } from './prompt';

/** Well below what Talk takes as one message. */
const LONGEST_PROMPT = 20_000;

/**
 * What a person is asked, from the real effects alone.
 * @throws ConfirmationRefusal TOO_LONG
 */
export const composePrompt = (
  effects: readonly PlannedEffect[],
  speech: Speech,
  { code, ttlMs }: { readonly code: string; readonly ttlMs: number },
): string => {
  const phrases = phrasesFor(speech.language);
  const reply = `${phrases.reply(effects.length > 1, within(ttlMs, phrases))} (${code})`;
  const ending = [sourcesOf(effects, speech.language), reply].filter((part) => part !== '').join(' ');
  const text =
    effects.length === 1 && effects[0]
      ? `${single(effects[0], speech, phrases)} ${ending}`
      : `**${phrases.severalQuestion}**\n\n${list(effects, speech)}\n\n${ending}`;
  if (text.length > LONGEST_PROMPT) {
    throw new ConfirmationRefusal(
      CONFIRMATION_REFUSALS.TOO_LONG,
      `The question would have ${text.length} characters; at most ${LONGEST_PROMPT} can be read in one message. Ask for fewer actions at once.`,
    );
  }
  return text;
};

const single = (effect: PlannedEffect, speech: Speech, phrases: Phrases): string =>
  `**${phrases.question(titleOf(effect, speech.language))}** ${detailsOf(effect, speech)}`.trimEnd();

const list = (effects: readonly PlannedEffect[], speech: Speech): string =>
  effects
    .map((effect, index) => {
      const details = detailsOf(effect, speech);
      const deed = `${index + 1}. **${titleOf(effect, speech.language)}**`;
      return details === '' ? deed : `${deed} – ${details}`;
    })
    .join('\n');

const within = (ttlMs: number, phrases: Phrases): string =>
  ttlMs < 60_000 ? phrases.seconds(Math.floor(ttlMs / 1_000)) : phrases.minutes(Math.floor(ttlMs / 60_000));

/** Shown when a bare "yes" could mean something else. */
export const codeLine = (prompt: Pick<Prompt, 'language' | 'titles' | 'code'>): string =>
  phrasesFor(prompt.language).codeLine(titleOfAll(prompt), prompt.code);

/** Shown after a reaction that agrees. */
export const hintLine = (prompt: Pick<Prompt, 'language' | 'code'>): string =>
  phrasesFor(prompt.language).hint(prompt.code);

export const expiredLine = (prompt: Pick<Prompt, 'language' | 'titles'>): string =>
  phrasesFor(prompt.language).expired(titleOfAll(prompt));

/** What a reply can quote to mean this prompt. */
export const postedAbout = (prompt: Prompt): string[] => [prompt.text, codeLine(prompt), hintLine(prompt)];

const titleOfAll = ({ language, titles }: Pick<Prompt, 'language' | 'titles'>): string => {
  const [first = '', ...others] = titles;
  return others.length === 0 ? first : phrasesFor(language).andMore(first, others.length);
};

/** A prompt as the model may know it. No name in it holds its code. */
export const withoutCode = (text: string, code: string): string => text.replace(` (${code})`, '');
