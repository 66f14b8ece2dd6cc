import type { Message, Room, World } from '../world/world';
import { findMentions } from './mentions';
import { actorParameter, fileParameter, mentionParameter } from './rich-parameters';
import type { RichParameter, RichParameters, Viewer } from './rich-parameters';

export interface RenderedMessage {
  /** Text with `{placeholders}`. */
  readonly message: string;
  readonly parameters: RichParameters;
}

/** A message as Talk hands it to bots and clients: mentions and files as placeholders with parameters. */
export function renderMessage(world: World, room: Room, message: Message, viewer: Viewer): RenderedMessage {
  if (message.deleted) return renderDeleted(world, message, viewer);
  const actor = actorParameter(world, message.actor, message.actorName);
  if (message.systemMessage !== '') return { message: message.text, parameters: { actor } };
  // The slash that marked a command once is still taken off when it is doubled.
  const text = message.text.startsWith('//') ? message.text.slice(1) : message.text;
  const caption = replaceMentions(world, room, text, viewer.baseUrl);
  if (!message.file) return caption;
  return {
    message: caption.message === '' ? '{file}' : caption.message,
    parameters: { actor, file: fileParameter(world, message.file, viewer), ...caption.parameters },
  };
}

function renderDeleted(world: World, message: Message, viewer: Viewer): RenderedMessage {
  const own = message.actor.type === 'users' && message.actor.id === viewer.uid;
  return {
    message: own ? 'Message deleted by you' : 'Message deleted by author',
    parameters: { actor: actorParameter(world, message.actor, message.actorName) },
  };
}

function replaceMentions(world: World, room: Room, text: string, baseUrl: string): RenderedMessage {
  const parameters: Record<string, RichParameter> = {};
  const counts = new Map<string, number>();
  let message = text;
  for (const mention of findMentions(text)) {
    const found = mentionParameter(world, room, mention, baseUrl);
    if (!found) continue;
    const number = (counts.get(found.kind) ?? 0) + 1;
    counts.set(found.kind, number);
    const key = `mention-${found.kind}${number}`;
    parameters[key] = found.value;
    message = message.replaceAll(mention.written, `{${key}}`);
  }
  return { message, parameters };
}

/** What a person reads: known placeholders replaced by names, once and in one pass. */
export function plainText(rendered: RenderedMessage): string {
  return rendered.message.replace(/\{([a-z0-9-]+)\}/g, (placeholder, key: string) => {
    const parameter = rendered.parameters[key];
    if (!parameter) return placeholder;
    return key.startsWith('mention-') ? `@${parameter['name']}` : (parameter['name'] ?? placeholder);
  });
}

/** Empty parameters are `[]` in Talk's JSON, as PHP does not know an empty object from an empty list. */
export function orEmptyList(parameters: RichParameters): RichParameters | [] {
  return Object.keys(parameters).length === 0 ? [] : parameters;
}
