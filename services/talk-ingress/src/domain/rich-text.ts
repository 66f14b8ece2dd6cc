import type { Mention } from '@nuqloud/contracts';
import { z } from 'zod';
import { cutText, singleLine, storableText } from '@nuqloud/platform';

/** Talk's own limit in characters; a character is at most two UTF-16 units. Names that were put in may exceed it. */
const MAX_TEXT = 64_000;
const MAX_NAME = 256;
const MAX_ID = 1024;
const MAX_MENTIONS = 200;

/** Talk sends every value as a string; numbers are taken too. */
const Value = z.union([z.string(), z.number()]).transform(String).catch('');

const Parameter = z.object({
  type: Value,
  id: Value,
  name: Value,
  server: Value,
  size: Value,
  mimetype: Value,
});
export type Parameter = z.infer<typeof Parameter>;

const Content = z.object({ message: z.string(), parameters: z.unknown() });

/** A message of Talk with its names put in. */
export interface RichText {
  /** As Talk sent it, with placeholders. */
  readonly template: string;
  readonly text: string;
  readonly mentions: Mention[];
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** Reads `object.content`: JSON within a JSON string. @returns undefined when it is none */
export const readRichText = (content: string): RichText | undefined => {
  const parsed = Content.safeParse(parseJson(content));
  if (!parsed.success) return undefined;
  const template = parsed.data.message;
  const parameters = readParameters(parsed.data.parameters);
  return {
    template,
    text: cutText(storableText(substitutePlaceholders(template, parameters)), MAX_TEXT),
    mentions: [...parameters]
      .flatMap(([key, parameter]) => (isMention(key) ? [mentionOf(parameter)] : []))
      .slice(0, MAX_MENTIONS),
    parameters,
  };
};

/** Empty parameters are `[]`, because PHP knows no other empty list. */
const readParameters = (parameters: unknown): Map<string, Parameter> => {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return new Map();
  const known = Object.entries(parameters).flatMap(([key, value]): [string, Parameter][] => {
    const parsed = Parameter.safeParse(value);
    return parsed.success ? [[key, parsed.data]] : [];
  });
  return new Map(known);
};

/** In one pass, so that a name which looks like a placeholder stays a name; braces that mean nothing stay too. */
const substitutePlaceholders = (template: string, parameters: ReadonlyMap<string, Parameter>): string =>
  template.replace(/\{([^{}]{1,100})\}/g, (literal, key: string) => {
    const parameter = parameters.get(key);
    return parameter ? shownAs(key, parameter) || literal : literal;
  });

const shownAs = (key: string, parameter: Parameter): string => {
  const name = singleLine(parameter.name || parameter.id, MAX_NAME);
  if (!isMention(key) || name === '') return name;
  return parameter.type === 'call' ? '@all' : `@${name}`;
};

const isMention = (key: string): boolean => key.startsWith('mention-');

/** Somebody of another server has a local user's shape plus the server; the two must stay apart. */
const mentionOf = ({ type, id, name, server }: Parameter): Mention => {
  const host = server.replace(/^https?:\/\//, '');
  const isFederated = type === 'user' && host !== '';
  return {
    type: singleLine(isFederated ? 'federated_user' : type, 64),
    id: singleLine(isFederated ? `${id}@${host}` : id, MAX_ID),
    name: singleLine(name, MAX_NAME),
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the schema refuses it like any other wrong shape
  }
};
