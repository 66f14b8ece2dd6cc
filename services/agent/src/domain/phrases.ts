/** Languages in which the bot speaks without a model. */
export type Language = 'en' | 'de' | 'fr';

/** `de_DE`, `de-CH` and `DE` are German; whatever is not known is answered in English. */
export const languageOf = (tag: string): Language => {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  return primary === 'de' || primary === 'fr' ? primary : 'en';
};

interface Phrases {
  readonly guestRefused: string;
  readonly notAllowed: string;
  readonly writeAgain: string;
  readonly modelDown: string;
  readonly modelRefused: string;
  readonly cutOff: string;
  readonly budgetUsedUp: string;
  readonly timeUsedUp: string;
  readonly emptyAnswer: string;
  readonly stillWorking: string;
  readonly interrupted: string;
  readonly peopleUnknown: string;
  readonly resetOwn: string;
  readonly resetRoom: string;
  readonly helpIntro: (bot: string, call: string) => string;
  readonly helpTools: string;
  readonly helpNoTools: string;
  readonly helpGuest: string;
  readonly helpAway: string;
  readonly helpReset: string;
  readonly facts: string;
}

const EN: Phrases = {
  guestRefused: 'Sorry, I only work for people with an account in this Nextcloud. I did nothing.',
  notAllowed:
    'Sorry, you are not among the people this bot works for. An administrator can change that. I did nothing.',
  writeAgain:
    'Sorry, your message waited too long before I could start, and I may no longer act on it. I did nothing; please write it again.',
  modelDown:
    'Sorry, the language model cannot be reached at the moment, so I could not answer. Please try again in a few minutes.',
  modelRefused:
    'Sorry, the language model refuses what I send it, so I could not answer. An administrator must look at its settings.',
  cutOff: '*(The answer was too long and ends here; ask for the rest.)*',
  budgetUsedUp:
    'I stopped here: this took more steps than I may use for one message, and I have no full answer. Please ask for a smaller part.',
  timeUsedUp:
    'I stopped here: this took longer than I may work on one message. Please ask for a smaller part.',
  emptyAnswer: 'The language model gave no answer. Please put the question differently.',
  stillWorking: 'I am still working on this.',
  interrupted:
    'I was interrupted while working on this, and what was left could not be finished. Please ask again.',
  peopleUnknown:
    'Sorry, Nextcloud cannot be asked who you are at the moment, and this bot works for some people only. I did nothing; please try again in a few minutes.',
  resetOwn: 'Done: I have forgotten what you wrote to me here and what I looked up for you.',
  resetRoom: 'Done: I have forgotten this whole conversation.',
  helpIntro: (bot, call) => `I am **${bot}**. Write to me with ${call}, or reply to one of my messages.`,
  helpTools: 'Here I can, with your own rights:',
  helpNoTools: 'I have no tools here: I can only talk.',
  helpGuest: 'As a guest you can only talk with me; tools work for people with an account here.',
  helpAway: 'not available at the moment',
  helpReset:
    '`/reset` makes me forget what you wrote here. Everything I post is seen by everybody in the room.',
  facts: 'What was found so far:',
};

const DE: Phrases = {
  guestRefused:
    'Entschuldigung, ich arbeite nur für Personen mit einem Konto in dieser Nextcloud. Ich habe nichts getan.',
  notAllowed:
    'Entschuldigung, dieser Bot ist nicht für dich freigegeben. Die Administration kann das ändern. Ich habe nichts getan.',
  writeAgain:
    'Entschuldigung, deine Nachricht hat zu lange gewartet, und ich darf nicht mehr danach handeln. Ich habe nichts getan; bitte schreib sie noch einmal.',
  modelDown:
    'Entschuldigung, das Sprachmodell ist gerade nicht erreichbar, deshalb konnte ich nicht antworten. Bitte versuche es in ein paar Minuten noch einmal.',
  modelRefused:
    'Entschuldigung, das Sprachmodell lehnt ab, was ich ihm schicke, deshalb konnte ich nicht antworten. Die Administration muss seine Einstellungen prüfen.',
  cutOff: '*(Die Antwort war zu lang und endet hier; frag nach dem Rest.)*',
  budgetUsedUp:
    'Ich habe hier aufgehört: Das brauchte mehr Schritte, als ich für eine Nachricht verwenden darf, und eine vollständige Antwort habe ich nicht. Bitte frag nach einem kleineren Teil.',
  timeUsedUp:
    'Ich habe hier aufgehört: Das dauerte länger, als ich an einer Nachricht arbeiten darf. Bitte frag nach einem kleineren Teil.',
  emptyAnswer: 'Das Sprachmodell hat keine Antwort gegeben. Bitte stell die Frage anders.',
  stillWorking: 'Ich arbeite noch daran.',
  interrupted:
    'Ich wurde bei der Arbeit daran unterbrochen und konnte den Rest nicht beenden. Bitte frag noch einmal.',
  peopleUnknown:
    'Entschuldigung, Nextcloud kann gerade nicht gefragt werden, wer du bist, und dieser Bot arbeitet nur für bestimmte Personen. Ich habe nichts getan; bitte versuche es in ein paar Minuten noch einmal.',
  resetOwn:
    'Erledigt: Ich habe vergessen, was du mir hier geschrieben hast und was ich für dich nachgesehen habe.',
  resetRoom: 'Erledigt: Ich habe dieses ganze Gespräch vergessen.',
  helpIntro: (bot, call) =>
    `Ich bin **${bot}**. Schreib mir mit ${call}, oder antworte auf eine meiner Nachrichten.`,
  helpTools: 'Das kann ich hier, mit deinen eigenen Rechten:',
  helpNoTools: 'Ich habe hier keine Werkzeuge: Ich kann nur reden.',
  helpGuest: 'Als Gast kannst du nur mit mir reden; Werkzeuge gibt es für Personen mit einem Konto hier.',
  helpAway: 'im Moment nicht verfügbar',
  helpReset:
    '`/reset` lässt mich vergessen, was du hier geschrieben hast. Alles, was ich schreibe, sehen alle im Raum.',
  facts: 'Bisher gefunden:',
};

const FR: Phrases = {
  guestRefused:
    'Désolé, je ne travaille que pour les personnes qui ont un compte dans ce Nextcloud. Je n’ai rien fait.',
  notAllowed: 'Désolé, ce bot ne vous est pas ouvert. Un administrateur peut le changer. Je n’ai rien fait.',
  writeAgain:
    'Désolé, votre message a attendu trop longtemps et je ne peux plus y donner suite. Je n’ai rien fait ; veuillez l’écrire à nouveau.',
  modelDown:
    'Désolé, le modèle de langage est injoignable pour le moment, je n’ai donc pas pu répondre. Veuillez réessayer dans quelques minutes.',
  modelRefused:
    'Désolé, le modèle de langage refuse ce que je lui envoie, je n’ai donc pas pu répondre. Un administrateur doit vérifier ses réglages.',
  cutOff: '*(La réponse était trop longue et s’arrête ici ; demandez la suite.)*',
  budgetUsedUp:
    'Je me suis arrêté ici : cela demandait plus d’étapes que je ne peux en utiliser pour un message, et je n’ai pas de réponse complète. Veuillez demander une partie plus petite.',
  timeUsedUp:
    'Je me suis arrêté ici : cela prenait plus de temps que je ne peux en consacrer à un message. Veuillez demander une partie plus petite.',
  emptyAnswer: 'Le modèle de langage n’a pas donné de réponse. Veuillez poser la question autrement.',
  stillWorking: 'J’y travaille encore.',
  interrupted:
    'J’ai été interrompu pendant ce travail et le reste n’a pas pu être terminé. Veuillez redemander.',
  peopleUnknown:
    'Désolé, Nextcloud ne peut pas dire qui vous êtes pour le moment, et ce bot ne travaille que pour certaines personnes. Je n’ai rien fait ; veuillez réessayer dans quelques minutes.',
  resetOwn: 'C’est fait : j’ai oublié ce que vous m’avez écrit ici et ce que j’ai consulté pour vous.',
  resetRoom: 'C’est fait : j’ai oublié toute cette conversation.',
  helpIntro: (bot, call) =>
    `Je suis **${bot}**. Écrivez-moi avec ${call}, ou répondez à l’un de mes messages.`,
  helpTools: 'Voici ce que je peux faire ici, avec vos propres droits :',
  helpNoTools: 'Je n’ai pas d’outils ici : je peux seulement parler.',
  helpGuest:
    'En tant qu’invité, vous pouvez seulement parler avec moi ; les outils sont pour les personnes qui ont un compte ici.',
  helpAway: 'indisponible pour le moment',
  helpReset:
    '`/reset` me fait oublier ce que vous avez écrit ici. Tout ce que je publie est vu par tout le monde dans la salle.',
  facts: 'Trouvé jusqu’ici :',
};

const PHRASES: Readonly<Record<Language, Phrases>> = { en: EN, de: DE, fr: FR };

export const phrasesFor = (languageTag: string): Phrases => PHRASES[languageOf(languageTag)];
