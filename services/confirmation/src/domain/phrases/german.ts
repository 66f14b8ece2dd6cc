import type { Phrases } from './phrases';

export const GERMAN: Phrases = {
  deed: {
    'files.delete': (target) => `${target} löschen`,
    'files.overwrite': (target) => `${target} überschreiben`,
    'files.restore-version': (target) => `Eine frühere Version von ${target} zurückholen`,
    'files.write-shared': (target) => `${target} anlegen, wo andere es sehen können`,
    'files.append-shared': (target) => `Text an ${target} anhängen, was andere sehen können`,
    'files.mkdir-shared': (target) => `Den Ordner ${target} anlegen, wo andere ihn sehen können`,
    'files.restore-shared': (target) => `${target} dorthin wiederherstellen, wo andere es sehen können`,
    call: (target) => `${target} ausführen`,
  },
  question: (deed) => `${deed}?`,
  severalQuestion: 'All das tun?',
  units: ['Bytes', 'KB', 'MB', 'GB', 'TB'],
  files: (count, plural, atLeast) =>
    `${atLeast ? 'mindestens ' : ''}${count} ${plural ? 'Dateien' : 'Datei'}`,
  canOpen: (people) => `auch zugänglich für ${people}`,
  more: (count, named) => `${count} ${named ? 'weitere' : count === 1 ? 'andere Person' : 'andere Personen'}`,
  nobodyElse: 'für niemand anderen zugänglich',
  and: 'und',
  toTrash: 'Es kommt in den Papierkorb; du kannst es wiederherstellen.',
  notAllSeen: 'Nicht alles wurde durchgesehen: auf Teile davon haben vielleicht auch andere Zugriff.',
  final: 'Das ist endgültig: es lässt sich nicht wiederherstellen.',
  staysWith: (owner) => `Es verschwindet nur aus deinen Dateien; bei ${owner} bleibt es.`,
  keepsVersion: 'Der jetzige Inhalt bleibt als frühere Version erhalten.',
  keepsNoVersion: 'Der jetzige Inhalt geht verloren: es bleibt keine frühere Version.',
  versionOf: (when) => `Es wird wieder so, wie es am ${when} war.`,
  sources: (names) =>
    `⚠️ Davor habe ich gelesen, was andere geschrieben haben (${names}). Prüfe, ob du selbst es willst.`,
  quote: (name) => `„${name}“`,
  minutes: (minutes) => (minutes === 1 ? '1 Minute' : `${minutes} Minuten`),
  seconds: (seconds) => `${seconds} Sekunden`,
  reply: (several, within) =>
    several
      ? `Antworte innerhalb von ${within} mit *ja* für alles oder mit *nein*.`
      : `Antworte innerhalb von ${within} mit *ja* oder *nein*.`,
  codeLine: (title, code) =>
    `Inzwischen gab es anderes. Wenn du „${title}“ meinst, antworte *ja ${code}*. (${code})`,
  hint: (code) => `Eine Reaktion genügt dafür nicht: bitte schreib *ja* oder *nein*. (${code})`,
  expired: (title) => `Zu spät: „${title}“ wurde nicht getan. Frag mich noch einmal, wenn du es noch willst.`,
  andMore: (title, more) => `${title} und ${more} weitere`,
  outcomeUnknown: (title) =>
    `Ich weiß nicht, ob das getan wurde: ${title}. Bitte sieh selbst nach, bevor du noch einmal fragst.`,
};
