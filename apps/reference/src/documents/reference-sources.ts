import { anchorOf, code, prose } from '../markdown/markdown';
import { FieldList } from '../markdown/field-list';
import { BUS_MESSAGES } from '../schemas/bus-messages';
import { ReferenceSchemas } from '../schemas/reference-schemas';
import { SourceConstants } from '../sources/source-constants';

/** What all documents are made from. */
export interface ReferenceSources {
  readonly constants: SourceConstants;
  readonly schemas: ReferenceSchemas;
  /** Schemas with a section of their own in the message reference: what messages, and the tokens in them, refer to. */
  readonly shapes: readonly string[];
}

/** @param folders with the sources of contracts and messaging */
export const readSources = (folders: readonly string[]): ReferenceSources => {
  const constants = new SourceConstants(folders);
  const schemas = new ReferenceSchemas(constants);
  const parts = BUS_MESSAGES.flatMap((message) => message.parts.map(([, schema]) => schemas.nameOf(schema)));
  const claims = schemas.names.filter((name) => name.endsWith('Claims'));
  const reached = schemas.reachableFrom([...parts, ...claims, 'ToolDefinition', 'ErrorBody']);
  const shapes = reached.filter((name) => !parts.includes(name));
  return { constants, schemas, shapes };
};

/** Field lists of one document. @param messagePage address of the message reference as seen from it */
export const fieldListOf = (
  { schemas, shapes }: ReferenceSources,
  messagePage: string,
  note?: (field: string) => string | undefined,
): FieldList =>
  new FieldList({
    schema: (name) => schemas.get(name),
    link: (name) => (shapes.includes(name) ? `[${name}](${messagePage}#${anchorOf(name)})` : undefined),
    ...(note && { note }),
  });

/** The codes of a constant such as `GATEWAY_REFUSALS`, each with what is said of it. */
export const codeEntries = (
  { constants }: ReferenceSources,
  name: string,
  codes: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(codes).map(([key, text]) => {
    const comment = constants.field(name, key)?.comment;
    return comment === undefined ? code(text) : `${code(text)}: ${prose(comment)}`;
  });
