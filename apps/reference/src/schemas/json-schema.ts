/** What zod writes of JSON Schema, as far as these documents look into it. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  /** Of a variable of the environment: `meta({ secret: true })`. */
  secret?: boolean;
}

export const REFERENCE_PREFIX = '#/components/schemas/';

export const referenceTo = (name: string): string => REFERENCE_PREFIX + name;

/** The name of the schema it refers to, if it is a reference. */
export const referredName = (schema: JsonSchema): string | undefined =>
  schema.$ref?.slice(REFERENCE_PREFIX.length);

/** Everything directly in it that is a schema. */
export const partsOf = (schema: JsonSchema): JsonSchema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ...(schema.propertyNames ? [schema.propertyNames] : []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

/** The one of two alternatives that is not `null`, if the other is. */
export const nullableOf = (schema: JsonSchema): JsonSchema | undefined => {
  const [value, nothing, ...more] = schema.anyOf ?? [];
  return more.length === 0 && nothing?.type === 'null' ? value : undefined;
};
