/** The languages in which the demo understands and answers. */
export type DemoLanguage = 'en' | 'de' | 'fr';

export interface DemoPhrases {
  greeting: string;
  /** Followed by one example per line. */
  understood: string;
  examples: Record<DemoTool, string>;
  noTools: string;
  notUnderstood: string;
  notOffered: (tool: string) => string;
  result: (tool: string) => string;
}

export type DemoTool =
  | 'files_list'
  | 'files_read'
  | 'files_info'
  | 'files_write'
  | 'files_append'
  | 'files_mkdir'
  | 'files_delete';

export const PHRASES: Record<DemoLanguage, DemoPhrases> = {
  en: {
    greeting: 'Hello! I am a demo script, not a language model.',
    understood: 'I understand:',
    examples: {
      files_list: 'list /Docs',
      files_read: 'read /Docs/plan.md',
      files_info: 'info about /Docs/plan.md',
      files_write: 'write "Hello" to /Docs/new.md, overwrite /Docs/new.md with "Hello again"',
      files_append: 'append "One more line" to /Docs/new.md',
      files_mkdir: 'create the folder /Docs/New',
      files_delete: 'delete /Docs/new.md',
    },
    noTools: 'I was given no tool that I know, so there is nothing I can do here.',
    notUnderstood: 'I am a demo script, not a language model, and that is none of my phrases.',
    notOffered: (tool) => `For that I would call the tool ${tool}, but it was not given to me here.`,
    result: (tool) => `This is what ${tool} returned:`,
  },
  de: {
    greeting: 'Hallo! Ich bin ein Demo-Skript, kein Sprachmodell.',
    understood: 'Ich verstehe:',
    examples: {
      files_list: 'zeige /Docs',
      files_read: 'lies /Docs/plan.md',
      files_info: 'Infos zu /Docs/plan.md',
      files_write: 'schreib „Hallo“ in /Docs/neu.md, überschreibe /Docs/neu.md mit „Hallo noch einmal“',
      files_append: 'ergänze „Noch eine Zeile“ in /Docs/neu.md',
      files_mkdir: 'erstelle den Ordner /Docs/Neu',
      files_delete: 'lösche /Docs/neu.md',
    },
    noTools: 'Ich habe kein Werkzeug bekommen, das ich kenne, und kann hier deshalb nichts tun.',
    notUnderstood: 'Ich bin ein Demo-Skript, kein Sprachmodell, und das ist keine meiner Wendungen.',
    notOffered: (tool) =>
      `Dafür würde ich das Werkzeug ${tool} aufrufen, aber ich habe es hier nicht bekommen.`,
    result: (tool) => `Das hat ${tool} geliefert:`,
  },
  fr: {
    greeting: 'Bonjour ! Je suis un script de démonstration, pas un modèle de langage.',
    understood: 'Je comprends :',
    examples: {
      files_list: 'montre /Docs',
      files_read: 'lis /Docs/plan.md',
      files_info: 'infos sur /Docs/plan.md',
      files_write: 'écris « Bonjour » dans /Docs/nouveau.md, remplace /Docs/nouveau.md par « Rebonjour »',
      files_append: 'ajoute « Encore une ligne » à /Docs/nouveau.md',
      files_mkdir: 'crée le dossier /Docs/Nouveau',
      files_delete: 'supprime /Docs/nouveau.md',
    },
    noTools: "Je n'ai reçu aucun outil que je connaisse : je ne peux rien faire ici.",
    notUnderstood:
      'Je suis un script de démonstration, pas un modèle de langage, et cette phrase ne fait pas partie des miennes.',
    notOffered: (tool) => `Il me faudrait l'outil ${tool}, mais je ne l'ai pas reçu ici.`,
    result: (tool) => `Voici ce que ${tool} a renvoyé :`,
  },
};

/** Words that give a language away; English is what is left. */
const MARKERS: [DemoLanguage, RegExp][] = [
  [
    'de',
    words(
      'zeige?|liste|schreibe?|überschreibe?|ergänze?|erstelle?|lösche?|den|mit|lies|lese|lesen|öffne|bitte|mir|meine|dateien|ordner|hallo|kannst|guten|infos zu|liegt|steht|ist|und',
    ),
  ],
  [
    'fr',
    words(
      'montre[rz]?|liste[rz]?|écris|remplace[rz]?|ajoute[rz]?|crée[rz]?|supprime[rz]?|par|affiche[rz]?|lis|lire|lisez|ouvre|mes|moi|fichiers|dossier|dans|bonjour|salut|peux|sais|infos sur|et|les|le|la',
    ),
  ],
];

/** The language with the most marker words; the first of those with equally many. */
export function languageOf(text: string): DemoLanguage {
  const [best] = MARKERS.map(([language, marker]) => ({ language, hits: text.match(marker)?.length ?? 0 }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  return best?.language ?? 'en';
}

/** Matches any of the words, wherever they stand by themselves; `\b` knows no ö and no é. */
export function words(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_/.-])(?:${alternatives})(?![\\p{L}\\p{N}_/])`, 'giu');
}
