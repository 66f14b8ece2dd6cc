import * as contracts from '@nuqloud/contracts';
import { ErrorBody } from '@nuqloud/messaging';
import { z } from 'zod';
import { SchemaDescriber } from '../sources/describe-schema';
import type { SourceConstants } from '../sources/source-constants';
import { BUS_MESSAGES } from './bus-messages';
import { partsOf, referenceTo, referredName } from './json-schema';
import type { JsonSchema } from './json-schema';

/**
 * Every schema that the contracts name, and every part of a message, as JSON Schema. What has a name is referred to by
 * it. They say what is accepted (`io: 'input'`): unknown fields are, unless a schema is strict.
 */
export class ReferenceSchemas {
  private readonly registry = z.registry<{ id: string }>();
  private readonly schemas: ReadonlyMap<string, JsonSchema>;

  constructor(constants: SourceConstants) {
    for (const [name, value] of Object.entries({ ...contracts, ErrorBody })) {
      if (value instanceof z.ZodType) this.register(name, value);
    }
    for (const { contract, parts } of BUS_MESSAGES) {
      for (const [part, schema] of parts) this.register(`${contract.name}.${part}`, schema);
    }
    this.schemas = this.toJsonSchemas();
    this.describe(constants);
  }

  get(name: string): JsonSchema {
    const schema = this.schemas.get(name);
    if (!schema) throw new Error(`No schema has the name ${name}.`);
    return schema;
  }

  /** Of all of them, in the order of the contracts. */
  get names(): string[] {
    return [...this.schemas.keys()];
  }

  nameOf(schema: z.ZodType): string {
    const name = this.registry.get(schema)?.id;
    if (name === undefined) throw new Error('This schema is neither exported nor part of a message.');
    return name;
  }

  /** These and all to which they refer, however far, in alphabetical order. */
  reachableFrom(names: readonly string[]): string[] {
    const reached = new Set<string>();
    const visit = (schema: JsonSchema): void => {
      const name = referredName(schema);
      if (name !== undefined) reach(name);
      partsOf(schema).forEach(visit);
    };
    const reach = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      visit(this.get(name));
    };
    names.forEach(reach);
    return [...reached].sort();
  }

  /** The first name counts: what an exported constant names keeps that name as part of a message. */
  private register(id: string, schema: z.ZodType): void {
    if (!this.registry.has(schema)) this.registry.add(schema, { id });
  }

  private toJsonSchemas(): Map<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.registry, {
      uri: referenceTo,
      io: 'input',
      // A refinement has no JSON Schema; its words stand in the description.
      unrepresentable: 'any',
    });
    const plain = JSON.parse(JSON.stringify(schemas, withoutNoise)) as Record<string, JsonSchema>;
    return new Map(Object.entries(plain));
  }

  private describe(constants: SourceConstants): void {
    const describer = new SchemaDescriber(constants);
    for (const [name, schema] of this.schemas) {
      const written = constants.find(name);
      if (written) describer.describe(schema, written);
    }
    for (const { constant, contract, parts } of BUS_MESSAGES) {
      for (const [part] of parts) {
        const written = constants.field(constant, part);
        const schema = this.schemas.get(`${contract.name}.${part}`);
        if (written && schema) describer.describe(schema, written);
      }
    }
  }
}

/** A schema's own address and dialect, bounds that every whole number has, and keys that are strings say nothing. */
const withoutNoise = (key: string, value: unknown): unknown => {
  if (key === '$schema' || key === '$id') return undefined;
  if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return undefined;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
  if (key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') return undefined;
  return value;
};
