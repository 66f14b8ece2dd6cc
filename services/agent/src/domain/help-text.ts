import { phrasesFor } from './phrases';

export interface HelpTool {
  readonly name: string;
  readonly label: string;
  readonly summary: string;
  readonly away: boolean;
}

/** What the bot can do here for this person, from what is known of its tools. */
export const helpText = (
  language: string,
  bot: { name: string; slug: string },
  audience: 'user' | 'guest',
  tools: readonly HelpTool[],
): string => {
  const phrases = phrasesFor(language);
  return [
    phrases.helpIntro(bot.name, `\`@${bot.slug}\``),
    toolPart(phrases, audience, tools),
    ...(audience === 'user' && tools.length > 0 ? [phrases.helpReceipts, phrases.helpUndo] : []),
    phrases.helpReset,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const toolPart = (
  phrases: ReturnType<typeof phrasesFor>,
  audience: 'user' | 'guest',
  tools: readonly HelpTool[],
): string => {
  if (audience === 'guest') return phrases.helpGuest;
  if (tools.length === 0) return phrases.helpNoTools;
  const lines = tools.map(({ label, summary, away }) => {
    const what = summary === '' ? `**${label}**` : `**${label}** – ${summary}`;
    return away ? `- ${what} (${phrases.helpAway})` : `- ${what}`;
  });
  return [phrases.helpTools, ...lines].join('\n');
};
