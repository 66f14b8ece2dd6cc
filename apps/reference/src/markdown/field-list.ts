import { nullableOf, referredName } from '../schemas/json-schema';
import type { JsonSchema } from '../schemas/json-schema';
import { code, prose } from './markdown';

export interface FieldListOptions {
  /** A link to the schema of that name; undefined: what it says is written out in place. */
  readonly link: (name: string) => string | undefined;
  readonly schema: (name: string) => JsonSchema;
  /** More to say of a field, e.g. that it is a secret. */
  readonly note?: (field: string) => string | undefined;
}

/** The fields of a JSON Schema as nested lists of Markdown: name, whether it may be missing, type, limits, meaning. */
export class FieldList {
  constructor(private readonly options: FieldListOptions) {}

  /** Fields or alternatives of a whole schema; of one without fields, what it is. */
  render(schema: JsonSchema): string {
    const lines = this.inside(schema, '');
    return lines.length > 0 ? lines.join('\n') : `${capitalised(this.type(schema))}.`;
  }

  private fields(schema: JsonSchema, indent: string): string[] {
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const facts = [
        ...(schema.required?.includes(name) || field.default !== undefined ? [] : ['optional']),
        this.type(field),
        ...(field.default === undefined ? [] : [`default ${valueText(field.default)}`]),
        this.options.note?.(name),
      ];
      const head = `${indent}- ${code(name)} (${facts.filter((fact) => fact !== undefined).join(', ')})`;
      const meaning = field.description === undefined ? '' : `: ${prose(field.description)}`;
      return [head + meaning, ...this.inside(field, `${indent}  `)];
    });
  }

  /** What stands below a field's line. */
  private inside(schema: JsonSchema, indent: string): string[] {
    const name = referredName(schema);
    if (name !== undefined) {
      return this.options.link(name) === undefined ? this.inside(this.options.schema(name), indent) : [];
    }
    if (schema.properties) return this.fields(schema, indent);
    const inner = nullableOf(schema) ?? schema.items ?? valuesOf(schema);
    if (inner) return this.inside(inner, indent);
    return this.alternatives(schema.oneOf ?? schema.anyOf ?? [], indent);
  }

  private alternatives(options: readonly JsonSchema[], indent: string): string[] {
    if (options.every((option) => !option.properties)) return [];
    return options.flatMap((option) => {
      if (!option.properties) return [`${indent}- ${this.type(option)}`];
      const meaning = option.description === undefined ? '' : ` ${prose(option.description)}`;
      const strict = isStrict(option) ? ' (strict)' : '';
      return [
        `${indent}- ${distinction(option, options)}${strict}:${meaning}`,
        ...this.fields(option, `${indent}  `),
      ];
    });
  }

  /** Type and limits in words. */
  type(schema: JsonSchema): string {
    const name = referredName(schema);
    if (name !== undefined) return this.options.link(name) ?? this.type(this.options.schema(name));
    if (schema.const !== undefined) return valueText(schema.const);
    if (schema.enum) return `one of ${schema.enum.map(valueText).join(', ')}`;
    const options = schema.oneOf ?? schema.anyOf;
    if (options) return this.alternativeTypes(options);
    if (schema.items) return ['list', ...limitsOf(schema), `each ${this.type(schema.items)}`].join(', ');
    if (schema.type === 'object') return this.objectType(schema);
    return [scalarType(schema), ...limitsOf(schema)].join(', ');
  }

  /** Where alternatives have fields they are listed below; `null` comes first, lest limits seem to belong to it. */
  private alternativeTypes(options: readonly JsonSchema[]): string {
    if (options.some((option) => option.properties)) return 'one of these';
    const types = options.map((option) => this.type(option));
    return [...types.filter((type) => type === 'null'), ...types.filter((type) => type !== 'null')].join(
      ' or ',
    );
  }

  private objectType(schema: JsonSchema): string {
    if (schema.properties) return isStrict(schema) ? 'strict object' : 'object';
    const values = valuesOf(schema);
    return values ? `map to ${this.type(values)}` : 'any object';
  }
}

/** Refuses fields that it does not know. */
export const isStrict = ({ additionalProperties }: JsonSchema): boolean => additionalProperties === false;

const valuesOf = ({ additionalProperties }: JsonSchema): JsonSchema | undefined =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined;

/** How one alternative is told from the others: by the value of a field, or by a field that only it has. */
const distinction = (option: JsonSchema, options: readonly JsonSchema[]): string => {
  const others = options.filter((other) => other !== option && other.properties);
  if (others.length === 0) return 'object';
  const fields = Object.entries(option.properties ?? {});
  const fixed = fields.find(
    ([name, field]) =>
      valuesAllowed(field).length > 0 &&
      others.every(({ properties }) => JSON.stringify(properties?.[name]) !== JSON.stringify(field)),
  );
  if (fixed) return `${code(fixed[0])} is ${valuesAllowed(fixed[1]).map(valueText).join(' or ')}`;
  const own = fields.find(([name]) => others.every(({ properties }) => properties?.[name] === undefined));
  return own ? `with ${code(own[0])}` : 'or';
};

const valuesAllowed = (field: JsonSchema): readonly unknown[] =>
  field.const === undefined ? (field.enum ?? []) : [field.const];

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'URL',
  'date-time': 'date and time, ISO 8601 in UTC',
};

const formatOf = ({ format }: JsonSchema): string | undefined =>
  format === undefined ? undefined : FORMATS[format];

const scalarType = (schema: JsonSchema): string =>
  schema.type === 'integer' ? 'whole number' : (formatOf(schema) ?? schema.type ?? 'anything');

interface Unit {
  readonly one: string;
  readonly many: string;
}
const CHARACTERS: Unit = { one: 'character', many: 'characters' };
const ENTRIES: Unit = { one: 'entry', many: 'entries' };

const limitsOf = (schema: JsonSchema): string[] => {
  const limits = [
    range(schema.minLength, schema.maxLength, CHARACTERS),
    range(schema.minItems, schema.maxItems, ENTRIES),
    range(schema.minimum, schema.maximum),
    // Zod writes the pattern of a format along with it.
    schema.pattern === undefined || formatOf(schema) !== undefined ? undefined : code(schema.pattern),
  ];
  return limits.filter((limit) => limit !== undefined);
};

const range = (from: number | undefined, to: number | undefined, unit?: Unit): string | undefined => {
  const counted = (count: number): string => {
    if (unit === undefined) return String(count);
    return `${count} ${count === 1 ? unit.one : unit.many}`;
  };
  if (from !== undefined && to !== undefined) return from === to ? counted(to) : `${from} to ${counted(to)}`;
  if (to !== undefined) return `at most ${counted(to)}`;
  if (from === 1 && unit) return 'not empty';
  return from === undefined ? undefined : `at least ${counted(from)}`;
};

/** A value as it is written in JSON, a string without quotes. */
export const valueText = (of: unknown): string =>
  code(typeof of === 'string' && of !== '' ? of : JSON.stringify(of));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
