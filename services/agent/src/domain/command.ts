/** What a person can say to the bot that needs no model. */
export type Command = 'help' | 'reset' | 'undo';

const HELP = new Set([
  'help',
  '/help',
  'hilfe',
  '/hilfe',
  'aide',
  '/aide',
  'ayuda',
  'aiuto',
  'hulp',
  'pomoc',
  'ajuda',
  '?',
]);

const UNDO = new Set([
  'undo',
  '/undo',
  'rückgängig',
  'rückgängig machen',
  'mach das rückgängig',
  'annuler',
  'annule',
  'deshacer',
  'deshaz',
  'annulla',
  'ongedaan maken',
  'cofnij',
  'desfazer',
  'desfaz',
]);

/** Of these, what a person may also say instead of "no" to a question. */
const UNDO_OR_NO = new Set(['annuler', 'annule', 'annulla']);

/** Whether it takes something back, or only says "no": which of them the moment tells. */
export const meansNoToo = (text: string): boolean => UNDO_OR_NO.has(bare(text));

/** Only the whole text counts: "help me write a letter" is a wish for the model. */
export const commandIn = (text: string): Command | undefined => {
  const word = bare(text);
  if (HELP.has(word) || text.trim() === '?') return 'help';
  if (UNDO.has(word)) return 'undo';
  if (word === '/reset') return 'reset';
  return undefined;
};

const bare = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s!.?…]+$/u, '')
    .normalize('NFC');
