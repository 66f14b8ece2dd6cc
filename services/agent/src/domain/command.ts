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

/** Only the whole text counts: "help me write a letter" is a wish for the model. */
export const commandIn = (text: string): Command | undefined => {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s!.?…]+$/u, '');
  if (HELP.has(word) || text.trim() === '?') return 'help';
  if (UNDO.has(word.normalize('NFC'))) return 'undo';
  if (word === '/reset') return 'reset';
  return undefined;
};
