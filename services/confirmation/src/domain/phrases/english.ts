import type { Phrases } from './phrases';

export const ENGLISH: Phrases = {
  deed: {
    'files.delete': (target) => `Delete ${target}`,
    'files.overwrite': (target) => `Overwrite ${target}`,
    'files.restore-version': (target) => `Bring back an earlier version of ${target}`,
    'files.write-shared': (target) => `Create ${target}, where others can see it`,
    'files.append-shared': (target) => `Add text to ${target}, which others can see`,
    'files.mkdir-shared': (target) => `Create the folder ${target}, where others can see it`,
    'files.restore-shared': (target) => `Restore ${target} to where others can see it`,
    call: (target) => `Run ${target}`,
  },
  question: (deed) => `${deed}?`,
  severalQuestion: 'Do all of this?',
  units: ['bytes', 'KB', 'MB', 'GB', 'TB'],
  files: (count, plural, atLeast) => `${atLeast ? 'at least ' : ''}${count} ${plural ? 'files' : 'file'}`,
  canOpen: (people) => `${people} can also open it`,
  more: (count, named) => `${count} ${named ? 'more' : count === 1 ? 'other person' : 'other people'}`,
  nobodyElse: 'nobody else can open it',
  and: 'and',
  toTrash: 'It goes to the trash; you can restore it.',
  notAllSeen: 'Not all of it was looked through: others may have access to parts of it.',
  final: 'This is final: it cannot be restored.',
  staysWith: (owner) => `It only disappears from your files; it stays with ${owner}.`,
  keepsVersion: 'What is in it now stays as an earlier version.',
  keepsNoVersion: 'What is in it now is lost: no earlier version is kept.',
  versionOf: (when) => `It becomes what it was on ${when}.`,
  sources: (names) =>
    `⚠️ Before this I read what others wrote (${names}). Make sure that it is you who wants it.`,
  quote: (name) => `“${name}”`,
  minutes: (minutes) => (minutes === 1 ? '1 minute' : `${minutes} minutes`),
  seconds: (seconds) => `${seconds} seconds`,
  reply: (several, within) =>
    several ? `Reply *yes* for all of it or *no* within ${within}.` : `Reply *yes* or *no* within ${within}.`,
  codeLine: (title, code) =>
    `There was something else in between. If you mean “${title}”, reply *yes ${code}*. (${code})`,
  hint: (code) => `A reaction is not enough for this: please write *yes* or *no*. (${code})`,
  expired: (title) => `Too late: “${title}” was not done. Ask me again if you still want it.`,
  andMore: (title, more) => `${title} and ${more} more`,
  outcomeUnknown: (title) =>
    `I cannot tell whether this was done: ${title}. Please look for yourself before you ask again.`,
};
