import type { Phrases } from './phrases';

export const FRENCH: Phrases = {
  deed: {
    'files.delete': (target) => `Supprimer ${target}`,
    'files.overwrite': (target) => `Écraser ${target}`,
    'files.restore-version': (target) => `Rétablir une version antérieure de ${target}`,
    'files.write-shared': (target) => `Créer ${target}, visible par d’autres`,
    'files.append-shared': (target) => `Ajouter du texte à ${target}, visible par d’autres`,
    'files.mkdir-shared': (target) => `Créer le dossier ${target}, visible par d’autres`,
    'files.restore-shared': (target) => `Restaurer ${target} à un endroit visible par d’autres`,
    call: (target) => `Exécuter ${target}`,
  },
  question: (deed) => `${deed} ?`,
  severalQuestion: 'Faire tout cela ?',
  units: ['octets', 'Ko', 'Mo', 'Go', 'To'],
  files: (count, plural, atLeast) =>
    `${atLeast ? 'au moins ' : ''}${count} ${plural ? 'fichiers' : 'fichier'}`,
  canOpen: (people) => `également accessible à ${people}`,
  more: (count, named) =>
    named ? `${count} de plus` : `${count} ${count === 1 ? 'autre personne' : 'autres personnes'}`,
  nobodyElse: 'accessible à personne d’autre',
  and: 'et',
  toTrash: 'Cela va à la corbeille ; vous pouvez le restaurer.',
  notAllSeen: 'Tout n’a pas été parcouru : d’autres peuvent avoir accès à certaines parties.',
  final: 'C’est définitif : il ne pourra pas être restauré.',
  staysWith: (owner) => `Cela ne disparaît que de vos fichiers ; ${owner} le garde.`,
  keepsVersion: 'Le contenu actuel reste comme version antérieure.',
  keepsNoVersion: 'Le contenu actuel est perdu : aucune version antérieure n’est gardée.',
  versionOf: (when) => `Il redevient ce qu’il était le ${when}.`,
  sources: (names) =>
    `⚠️ Avant cela, j’ai lu ce que d’autres ont écrit (${names}). Vérifiez que c’est bien vous qui le voulez.`,
  quote: (name) => `« ${name} »`,
  minutes: (minutes) => (minutes === 1 ? '1 minute' : `${minutes} minutes`),
  seconds: (seconds) => `${seconds} secondes`,
  reply: (several, within) =>
    several
      ? `Répondez *oui* pour le tout ou *non* dans les ${within}.`
      : `Répondez *oui* ou *non* dans les ${within}.`,
  codeLine: (title, code) =>
    `Il y a eu autre chose entre-temps. Si vous parlez de « ${title} », répondez *oui ${code}*. (${code})`,
  hint: (code) => `Une réaction ne suffit pas : écrivez *oui* ou *non*. (${code})`,
  expired: (title) =>
    `Trop tard : « ${title} » n’a pas été fait. Redemandez-le-moi si vous le voulez encore.`,
  andMore: (title, more) => `${title} et ${more} de plus`,
  outcomeUnknown: (title) =>
    `Je ne sais pas si cela a été fait : ${title}. Vérifiez vous-même avant de redemander.`,
};
