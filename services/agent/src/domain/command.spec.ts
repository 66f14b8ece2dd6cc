import { commandIn, meansNoToo } from './command';

it.each(['help', 'Help!', ' HILFE ', 'aide', '/help', '?', 'hilfe?'])('%j asks for help', (text) => {
  expect(commandIn(text)).toBe('help');
});

it('"/reset" resets, in any case', () => {
  expect(commandIn('/reset')).toBe('reset');
  expect(commandIn(' /RESET. ')).toBe('reset');
});

it.each(['help me write a letter', 'reset', 'please /reset', '', '!', 'what does help mean?'])(
  '%j is no command',
  (text) => {
    expect(commandIn(text)).toBeUndefined();
  },
);

it.each([
  'undo',
  'Undo!',
  ' rückgängig ',
  'Rückgängig machen.',
  'annuler',
  'deshacer',
  'annulla',
  'cofnij',
  'desfazer',
])('%j undoes', (text) => {
  expect(commandIn(text)).toBe('undo');
});

it.each(['annuler', 'Annulla!', ' annule. '])('%j can also mean "no"', (text) => {
  expect(meansNoToo(text)).toBe(true);
  expect(commandIn(text)).toBe('undo');
});

it.each(['undo', '/undo', 'rückgängig', 'deshacer', 'no'])('%j means one thing only', (text) => {
  expect(meansNoToo(text)).toBe(false);
});

it.each(['undo the last change to plan.md', 'undone', 'please undo'])('%j is for the model', (text) => {
  expect(commandIn(text)).toBeUndefined();
});
