import type { ChatRequest } from './chat-request';
import { freshToolResults, lastUserText, offeredTools } from './chat-request';
import type { DemoTool } from './demo-phrases';
import { languageOf, PHRASES, words } from './demo-phrases';
import type { AnsweredToolCall, ModelAnswer } from './model-answer';
import { calls, says } from './model-answer';

/** What stands for each tool, in English, German and French. */
const VERBS: Record<DemoTool, RegExp> = {
  files_list: words(
    "list|ls|show(?: me)?|what(?:'s| is) in|liste|zeige?(?: mir)?|was (?:ist|liegt|steht) in|lister|listez|montre[rz]?|affiche[rz]?",
  ),
  files_read: words('read|open|cat|lies|lese|lesen|öffne|lis|lire|lisez|ouvre|ouvrez'),
  files_info: words('infos?(?: (?:about|on|zu|über|sur))?|details?|détails'),
  files_write: words('write|overwrite|schreibe?|überschreibe?|écris|écrire|remplace[rz]?'),
  files_append: words('append|ergänze?|ajoute[rz]?'),
  files_mkdir: words(
    'create (?:a|the) folder|mkdir|erstelle? (?:den|einen) ordner|crée[rz]? (?:le|un) dossier',
  ),
  files_delete: words('delete|remove|lösche?|entferne|supprime[rz]?|efface[rz]?'),
};
/** The verbs of `files_write` that ask for an existing file to be replaced. */
const REPLACES = words('overwrite|überschreibe?|remplace[rz]?');
const OWN_FILES = words('files?|folders?|dateien|ordner|fichiers|dossiers?');
const GREETING = words('hello|hi|hey|hallo|guten (?:tag|morgen|abend)|bonjour|salut|bonsoir');
const ABILITIES = words(
  'what can you do|was kannst du|que (?:peux|sais)-tu(?: faire)?|que (?:pouvez|savez)-vous(?: faire)?',
);

/** The doctor's question whether tools can be called. */
const NAMED_TOOL = /^Call the tool (?<tool>\w+) with the word "(?<word>\w+)"/;

/**
 * The demo's whole "mind": plain rules on what the person wrote last, on the tools it was given and on what they
 * returned. It says so in every answer that is not the result of a tool.
 */
export function demoAnswer(request: ChatRequest): ModelAnswer {
  const text = lastUserText(request);
  const phrases = PHRASES[languageOf(text)];
  const results = freshToolResults(request);
  if (results.length > 0) {
    return says(results.map(({ name, text: result }) => `${phrases.result(name)}\n\n${result}`).join('\n\n'));
  }

  const offered = offeredTools(request);
  const named = NAMED_TOOL.exec(text)?.groups;
  if (named?.['tool'] && offered.includes(named['tool']))
    return calls({ name: named['tool'], arguments: { word: named['word'] ?? '' } });
  const wanted = wantedCalls(text);
  const missing = wanted.find(({ name }) => !offered.includes(name));
  if (missing) return says(phrases.notOffered(missing.name));
  if (wanted.length > 0) return calls(wanted);

  const known = Object.entries(phrases.examples).filter(([tool]) => offered.includes(tool));
  const abilities =
    known.length > 0
      ? [phrases.understood, ...known.map(([, example]) => `- ${example}`)]
      : [phrases.noTools];
  const opening =
    matches(ABILITIES, text) || matches(GREETING, text) ? phrases.greeting : phrases.notUnderstood;
  return says([opening, ...abilities].join('\n'));
}

/** Each verb with a path behind it becomes a call; several in one message become several calls. */
function wantedCalls(text: string): AnsweredToolCall[] {
  const verbs = Object.entries(VERBS)
    .flatMap(([name, verb]) => [...text.matchAll(verb)].map(({ index }) => ({ name, index })))
    .sort((a, b) => a.index - b.index);
  return verbs.flatMap(({ name, index }, position) => {
    const part = text.slice(index, verbs[position + 1]?.index);
    const given = argumentsIn(part, name as DemoTool);
    return given === undefined ? [] : [{ name, arguments: given }];
  });
}

/** What the call needs, when the text has all of it. */
function argumentsIn(part: string, name: DemoTool): Record<string, unknown> | undefined {
  const path = pathIn(part) ?? (name === 'files_list' && matches(OWN_FILES, part) ? '/' : undefined);
  if (path === undefined) return undefined;
  if (name !== 'files_write' && name !== 'files_append') return { path };
  const content = quotedIn(part).find((text) => !text.startsWith('/'));
  if (content === undefined) return undefined;
  return { path, content, ...(matches(REPLACES, part) && { overwrite: true }) };
}

const QUOTED = /"([^"]+)"|`([^`]+)`|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?<!\p{L})'([^']+)'/u;
const ALL_QUOTED = new RegExp(QUOTED, 'gu');
/** Ends like a file, and may hold spaces. */
const FILE = /(?:^|\s)(\/[^\n]*\.\p{L}[\p{L}\p{N}]{0,4})(?![\p{L}\p{N}])/u;
const UP_TO_A_SPACE = /(?:^|\s)(\/\S*?)[.,;:!?)]*(?:\s|$)/u;

function pathIn(text: string): string | undefined {
  const bare = text.replace(ALL_QUOTED, ' ');
  const path =
    quotedIn(text).find((part) => part.startsWith('/')) ?? (FILE.exec(bare) ?? UP_TO_A_SPACE.exec(bare))?.[1];
  return path === undefined || path === '/' ? path : path.replace(/\/+$/, '');
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(ALL_QUOTED)].map(([, ...parts]) =>
    (parts.find((part) => part !== undefined) ?? '').trim(),
  );
}

function matches(pattern: RegExp, text: string): boolean {
  return text.search(pattern) >= 0;
}
