/** JSON Schema (2020-12), as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What decorators tell of one field. */
interface FieldMetadata {
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Sentences for people: what no schema can say. */
  readonly remarks: readonly string[];
}

const NO_METADATA: FieldMetadata = { required: false, schema: {}, remarks: [] };

/** By class, for its own properties alone. */
const metadataByClass = new WeakMap<object, Map<string, FieldMetadata>>();
const modelSchemas = new WeakMap<object, JsonSchema>();

function addMetadata(more: (facts: FieldMetadata) => FieldMetadata): PropertyDecorator {
  return (target, property) => {
    const facts = metadataByClass.get(target.constructor) ?? new Map<string, FieldMetadata>();
    metadataByClass.set(
      target.constructor,
      facts.set(String(property), more(facts.get(String(property)) ?? NO_METADATA)),
    );
  };
}

/** The field is as this schema has it, besides all that was told of it already. */
export const FieldSchema = (schema: JsonSchema): PropertyDecorator =>
  addMetadata((facts) => ({ ...facts, schema: { ...facts.schema, ...schema } }));

/** What the field is for, and a value of it that is right. */
export const Description = (description: string, example?: unknown): PropertyDecorator =>
  FieldSchema({ description, ...(example !== undefined && { examples: [example] }) });

/** A rule that no schema can say, in a sentence. */
export const Note = (sentence: string): PropertyDecorator =>
  addMetadata((facts) => ({ ...facts, remarks: [...facts.remarks, sentence] }));

/** It must be there. */
export const MarkRequired = (): PropertyDecorator => addMetadata((facts) => ({ ...facts, required: true }));

/** What is to be said of the whole, beside its fields. */
export function ModelSchema(schema: JsonSchema): (shape: object) => void {
  return (shape) => void modelSchemas.set(shape, schema);
}

/** One field of a request as clients are told of it. */
export interface RequestField {
  readonly name: string;
  readonly required: boolean;
  /** With description, example and default, as far as there are any. */
  readonly schema: JsonSchema;
}

/** Of the class and those that it extends, whose fields come first. */
export function listRequestFields(shape: new () => object): readonly RequestField[] {
  const initial = new shape();
  const facts = new Map(listClassHierarchy(shape).flatMap((each) => [...(metadataByClass.get(each) ?? [])]));
  return Array.from(facts, ([name, { required, schema, remarks }]) => {
    const initially: unknown = Reflect.get(initial, name);
    return {
      name,
      required,
      schema: {
        ...schema,
        ...mergeDescription(schema, remarks),
        ...(initially !== undefined && { default: initially }),
      },
    };
  });
}

/** The most general first. */
function listClassHierarchy(shape: object): object[] {
  const parent: unknown = Object.getPrototypeOf(shape);
  return typeof parent === 'function' && parent !== Function.prototype
    ? [...listClassHierarchy(parent), shape]
    : [shape];
}

function mergeDescription({ description }: JsonSchema, remarks: readonly string[]): JsonSchema {
  const sentences = [...(typeof description === 'string' ? [description] : []), ...remarks];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

/** What a body of this class is. Null is the same as absent, so that what need not be there may be null. */
export function buildBodySchema(shape: new () => object): JsonSchema {
  const fields = listRequestFields(shape);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    $id: shape.name,
    type: 'object',
    ...modelSchemas.get(shape),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map(({ name, required: must, schema }) => [name, must ? schema : toNullableSchema(schema)]),
    ),
  };
}

function toNullableSchema({ type, enum: words, ...rest }: JsonSchema): JsonSchema {
  if (typeof type !== 'string' || '$id' in rest)
    throw new TypeError('An optional field is of one plain type, so that it may be null');
  return { type: [type, 'null'], ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }), ...rest };
}
