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
  readonly modelBusy: string;
  readonly modelRefused: string;
  readonly modelTooLong: string;
  readonly modelFiltered: string;
  readonly writtenCall: string;
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
  readonly done: (what: string) => string;
  readonly notDone: (what: string, why: string) => string;
  readonly maybeDone: (what: string) => string;
  readonly lapsed: (what: string) => string;
  readonly notAssigned: (tool: string) => string;
  readonly questionClosed: string;
  readonly nothingToCancel: string;
  readonly cancelled: string;
  readonly notAsked: string;
  readonly maybeAsked: string;
  readonly tooManyActions: (most: number) => string;
  readonly confirmationAway: string;
  readonly undone: (what: string) => string;
  readonly notUndone: (what: string, why: string) => string;
  readonly nothingToUndo: string;
  readonly cannotUndo: (what: string) => string;
  readonly helpUndo: string;
  readonly helpReceipts: string;
}

const EN: Phrases = {
  guestRefused: 'Sorry, I only work for people with an account in this Nextcloud. I did nothing.',
  notAllowed:
    'Sorry, you are not among the people this bot works for. An administrator can change that. I did nothing.',
  writeAgain:
    'Sorry, your message waited too long before I could start, and I may no longer act on it. I did nothing; please write it again.',
  modelDown:
    'Sorry, the language model cannot be reached at the moment, so I could not answer. Please try again in a few minutes.',
  modelBusy:
    'Sorry, the language model has too much to do at the moment, so I could not answer. Please try again in a few minutes.',
  modelTooLong:
    'Sorry, this conversation is too long for the language model, also without its older part. `/reset` makes me forget it; then ask again, or for a smaller part.',
  modelFiltered:
    'Sorry, the provider of the language model withheld its answer (content filter). Please put it differently.',
  writtenCall:
    'Sorry, the language model wrote down what it wanted to do instead of doing it, so this was not done. Please ask again; if it stays so, an administrator must choose a model that supports tools.',
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
  done: (what) => `Done: ${what}`,
  notDone: (what, why) => `Not done: ${what}. ${why}`,
  maybeDone: (what) =>
    `It is not known whether this was done: ${what}. It was begun and interrupted; I will not try it again. Please look.`,
  lapsed: (what) => `Not done, because it could not begin in time: ${what}. Please ask again.`,
  notAssigned: (tool) => `Since I asked you, an administrator has taken ${tool} from me.`,
  questionClosed:
    'My question here is no longer open, and what you answered was not done. Ask me again if you still want it.',
  nothingToCancel:
    'No question is open here, and I did nothing. To take back the last thing I did for you here, write `/undo`.',
  cancelled: 'All right, I did nothing.',
  notAsked: 'I could not ask for your confirmation, so I did nothing. Please try again in a few minutes.',
  maybeAsked:
    'I cannot tell whether my question reached this room. If it stands here you can answer it; otherwise please ask again.',
  tooManyActions: (most) =>
    `These are more than ${most} things to confirm at once, so I did nothing. Please ask for fewer.`,
  confirmationAway:
    'Your answer cannot be checked at the moment, so I did nothing. Please answer again in a few minutes.',
  undone: (what) => `Undone: ${what}`,
  notUndone: (what, why) => `I could not undo this: ${what}. ${why}`,
  nothingToUndo: 'There is nothing of yours here that I did in the last 30 minutes and could undo.',
  cannotUndo: (what) => `The last thing I did for you here cannot be undone: ${what}`,
  helpReceipts:
    'What I really changed stands below my answer after a ☑, written from receipts and not by the language model. Without it nothing was changed.',
  helpUndo: '`undo` takes back the last thing I did for you here, for 30 minutes.',
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
  modelBusy:
    'Entschuldigung, das Sprachmodell hat gerade zu viel zu tun, deshalb konnte ich nicht antworten. Bitte versuche es in ein paar Minuten noch einmal.',
  modelTooLong:
    'Entschuldigung, dieses Gespräch ist zu lang für das Sprachmodell, auch ohne seinen älteren Teil. `/reset` lässt mich es vergessen; frag dann noch einmal, oder nach einem kleineren Teil.',
  modelFiltered:
    'Entschuldigung, der Anbieter des Sprachmodells hat dessen Antwort zurückgehalten (Inhaltsfilter). Bitte formuliere es anders.',
  writtenCall:
    'Entschuldigung, das Sprachmodell hat aufgeschrieben, was es tun wollte, statt es zu tun; es ist deshalb nicht geschehen. Bitte frag noch einmal; bleibt es dabei, muss die Administration ein Modell wählen, das Werkzeuge unterstützt.',
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
  done: (what) => `Erledigt: ${what}`,
  notDone: (what, why) => `Nicht getan: ${what}. ${why}`,
  maybeDone: (what) =>
    `Es ist nicht bekannt, ob das getan wurde: ${what}. Es wurde begonnen und unterbrochen; ich versuche es nicht noch einmal. Bitte sieh nach.`,
  lapsed: (what) =>
    `Nicht getan, weil es nicht rechtzeitig beginnen konnte: ${what}. Bitte frag noch einmal.`,
  notAssigned: (tool) => `Seit meiner Frage hat die Administration mir ${tool} weggenommen.`,
  questionClosed:
    'Meine Frage hier ist nicht mehr offen, und was du geantwortet hast, wurde nicht getan. Frag mich noch einmal, wenn du es noch willst.',
  nothingToCancel:
    'Hier ist keine Frage offen, und ich habe nichts getan. Was ich hier zuletzt für dich getan habe, nimmt `/undo` zurück.',
  cancelled: 'In Ordnung, ich habe nichts getan.',
  notAsked:
    'Ich konnte dich nicht um Bestätigung bitten und habe deshalb nichts getan. Bitte versuche es in ein paar Minuten noch einmal.',
  maybeAsked:
    'Ich weiß nicht, ob meine Frage in diesem Raum angekommen ist. Wenn sie hier steht, kannst du sie beantworten; sonst frag bitte noch einmal.',
  tooManyActions: (most) =>
    `Das sind mehr als ${most} Dinge, die zugleich zu bestätigen wären, deshalb habe ich nichts getan. Bitte frag nach weniger.`,
  confirmationAway:
    'Deine Antwort kann gerade nicht geprüft werden, deshalb habe ich nichts getan. Bitte antworte in ein paar Minuten noch einmal.',
  undone: (what) => `Rückgängig gemacht: ${what}`,
  notUndone: (what, why) => `Das konnte ich nicht rückgängig machen: ${what}. ${why}`,
  nothingToUndo:
    'Hier gibt es nichts, was ich in den letzten 30 Minuten für dich getan habe und rückgängig machen könnte.',
  cannotUndo: (what) =>
    `Was ich hier zuletzt für dich getan habe, lässt sich nicht rückgängig machen: ${what}`,
  helpReceipts:
    'Was ich wirklich geändert habe, steht unter meiner Antwort nach einem ☑, aus Belegen geschrieben und nicht vom Sprachmodell. Ohne das wurde nichts geändert.',
  helpUndo: '`rückgängig` nimmt zurück, was ich hier zuletzt für dich getan habe, 30 Minuten lang.',
};

const FR: Phrases = {
  guestRefused:
    'Désolé, je ne travaille que pour les personnes qui ont un compte dans ce Nextcloud. Je n’ai rien fait.',
  notAllowed: 'Désolé, ce bot ne vous est pas ouvert. Un administrateur peut le changer. Je n’ai rien fait.',
  writeAgain:
    'Désolé, votre message a attendu trop longtemps et je ne peux plus y donner suite. Je n’ai rien fait ; veuillez l’écrire à nouveau.',
  modelDown:
    'Désolé, le modèle de langage est injoignable pour le moment, je n’ai donc pas pu répondre. Veuillez réessayer dans quelques minutes.',
  modelBusy:
    'Désolé, le modèle de langage est trop sollicité pour le moment, je n’ai donc pas pu répondre. Veuillez réessayer dans quelques minutes.',
  modelTooLong:
    'Désolé, cette conversation est trop longue pour le modèle de langage, même sans sa partie ancienne. `/reset` me la fait oublier ; demandez ensuite à nouveau, ou une partie plus petite.',
  modelFiltered:
    'Désolé, le fournisseur du modèle de langage a retenu sa réponse (filtre de contenu). Veuillez formuler autrement.',
  writtenCall:
    'Désolé, le modèle de langage a écrit ce qu’il voulait faire au lieu de le faire, cela n’a donc pas été fait. Veuillez redemander ; si cela persiste, un administrateur doit choisir un modèle qui sait utiliser des outils.',
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
  done: (what) => `C’est fait : ${what}`,
  notDone: (what, why) => `Pas fait : ${what}. ${why}`,
  maybeDone: (what) =>
    `On ne sait pas si cela a été fait : ${what}. C’était commencé et a été interrompu ; je ne réessaierai pas. Veuillez vérifier.`,
  lapsed: (what) => `Pas fait, faute d’avoir pu commencer à temps : ${what}. Veuillez redemander.`,
  notAssigned: (tool) => `Depuis ma question, un administrateur m’a retiré ${tool}.`,
  questionClosed:
    'Ma question n’est plus ouverte ici, et ce à quoi vous avez répondu n’a pas été fait. Redemandez si vous le voulez encore.',
  nothingToCancel:
    'Aucune question n’est ouverte ici, et je n’ai rien fait. Pour reprendre la dernière chose que j’ai faite ici pour vous, écrivez `/undo`.',
  cancelled: 'Entendu, je n’ai rien fait.',
  notAsked:
    'Je n’ai pas pu vous demander confirmation, je n’ai donc rien fait. Veuillez réessayer dans quelques minutes.',
  maybeAsked:
    'Je ne sais pas si ma question est arrivée dans cette salle. Si elle y figure, vous pouvez y répondre ; sinon, veuillez redemander.',
  tooManyActions: (most) =>
    `Cela ferait plus de ${most} choses à confirmer à la fois, je n’ai donc rien fait. Veuillez en demander moins.`,
  confirmationAway:
    'Votre réponse ne peut pas être vérifiée pour le moment, je n’ai donc rien fait. Veuillez répondre à nouveau dans quelques minutes.',
  undone: (what) => `Annulé : ${what}`,
  notUndone: (what, why) => `Je n’ai pas pu annuler ceci : ${what}. ${why}`,
  nothingToUndo:
    'Il n’y a rien ici que j’aie fait pour vous dans les 30 dernières minutes et que je puisse annuler.',
  cannotUndo: (what) => `La dernière chose que j’ai faite ici pour vous ne peut pas être annulée : ${what}`,
  helpReceipts:
    'Ce que j’ai vraiment modifié figure sous ma réponse après un ☑, écrit d’après des reçus et non par le modèle de langage. Sans cela, rien n’a été modifié.',
  helpUndo: '`annuler` reprend la dernière chose que j’ai faite ici pour vous, pendant 30 minutes.',
};

const PHRASES: Readonly<Record<Language, Phrases>> = { en: EN, de: DE, fr: FR };

export const phrasesFor = (languageTag: string): Phrases => PHRASES[languageOf(languageTag)];
