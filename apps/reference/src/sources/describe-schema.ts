import ts from 'typescript';
import { nullableOf } from '../schemas/json-schema';
import type { JsonSchema } from '../schemas/json-schema';
import { commentBefore } from './source-constants';
import type { SourceConstants, Written, WrittenConstant } from './source-constants';

/**
 * Puts the comments that stand in a zod schema's source into the JSON Schema made of it, where it says nothing itself
 * (`describe()` wins). Both are walked side by side; what was written in an unforeseen way stays without description.
 */
export class SchemaDescriber {
  constructor(private readonly constants: SourceConstants) {}

  describe(schema: JsonSchema, written: WrittenConstant): void {
    const comment = written.comment ?? this.commentOfName(schema, written);
    if (comment !== undefined) schema.description ??= comment;
    this.describeParts(schema, written);
  }

  /** What is said of a constant of the file counts for the fields that use it; a schema of its own says it itself. */
  private commentOfName(schema: JsonSchema, { value, file }: Written): string | undefined {
    if (schema.$ref !== undefined || !ts.isIdentifier(value)) return undefined;
    return this.constants.find(value.text, file)?.comment;
  }

  private describeParts(schema: JsonSchema, written: Written): void {
    // What is referred to is described where it is defined.
    if (schema.$ref !== undefined) return;
    if (schema.properties) return this.describeFields(schema.properties, written);
    const value = nullableOf(schema);
    if (value) return this.describeParts(value, written);
    const { callee, args, file } = this.construction(written);
    const options = schema.oneOf ?? schema.anyOf;
    if (options) {
      const list = args[callee === 'discriminatedUnion' ? 1 : 0];
      if (list && ts.isArrayLiteralExpression(list)) this.describeOptions(options, list, file);
      return;
    }
    const [first, second] = args;
    if (schema.items && first) this.describeParts(schema.items, { value: first, file });
    if (typeof schema.additionalProperties === 'object' && second) {
      this.describeParts(schema.additionalProperties, { value: second, file });
    }
  }

  private describeFields(properties: Record<string, JsonSchema>, written: Written): void {
    const fields = this.fieldsOf(written);
    for (const [name, schema] of Object.entries(properties)) {
      const field = fields.get(name);
      if (field) this.describe(schema, field);
    }
  }

  private describeOptions(
    options: readonly JsonSchema[],
    list: ts.ArrayLiteralExpression,
    file: ts.SourceFile,
  ): void {
    for (const [index, element] of list.elements.entries()) {
      const option = options[index];
      if (option) this.describe(option, { value: element, comment: commentBefore(element, file), file });
    }
  }

  /** `z.object({…}).strict().optional()` is made by `object`; names lead to their constants. */
  private construction({ value, file }: Written): {
    callee?: string;
    args: readonly ts.Expression[];
    file: ts.SourceFile;
  } {
    if (ts.isIdentifier(value)) {
      const constant = this.constants.find(value.text, file);
      return constant ? this.construction(constant) : { args: [], file };
    }
    if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression))
      return { args: [], file };
    const { expression: receiver, name } = value.expression;
    if (isZod(receiver)) return { callee: name.text, args: value.arguments, file };
    return this.construction({ value: receiver, file });
  }

  private fieldsOf({ value, file }: Written): Map<string, WrittenConstant> {
    if (ts.isIdentifier(value)) {
      const constant = this.constants.find(value.text, file);
      return constant ? this.fieldsOf(constant) : new Map<string, WrittenConstant>();
    }
    if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return new Map();
    const { expression: receiver, name } = value.expression;
    const [literal] = value.arguments;
    const own = () =>
      literal ? this.constants.fieldsOfLiteral({ value: literal, file }) : new Map<string, WrittenConstant>();
    if (isZod(receiver)) return own();
    const inherited = this.fieldsOf({ value: receiver, file });
    return name.text === 'extend' ? new Map([...inherited, ...own()]) : inherited;
  }
}

const isZod = (expression: ts.Expression): boolean => ts.isIdentifier(expression) && expression.text === 'z';
