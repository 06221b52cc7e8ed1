/** JSON Schema (2020-12), as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Metadata of one field, collected from its decorators. */
interface FieldMetadata {
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Sentences for the description: rules that JSON Schema cannot express. */
  readonly remarks: readonly string[];
}

const NO_METADATA: FieldMetadata = { required: false, schema: {}, remarks: [] };

/** By class, for its own properties only. */
const metadataByClass = new WeakMap<object, Map<string, FieldMetadata>>();
const modelSchemas = new WeakMap<object, JsonSchema>();

function addMetadata(extend: (metadata: FieldMetadata) => FieldMetadata): PropertyDecorator {
  return (target, property) => {
    const fields = metadataByClass.get(target.constructor) ?? new Map<string, FieldMetadata>();
    const name = String(property);
    metadataByClass.set(target.constructor, fields.set(name, extend(fields.get(name) ?? NO_METADATA)));
  };
}

/** Adds keywords to the JSON Schema of the field. */
export const FieldSchema = (schema: JsonSchema): PropertyDecorator =>
  addMetadata((metadata) => ({ ...metadata, schema: { ...metadata.schema, ...schema } }));

/** Description of the field, and a valid example value. */
export const Description = (description: string, example?: unknown): PropertyDecorator =>
  FieldSchema({ description, ...(example !== undefined && { examples: [example] }) });

/** Adds a sentence to the description, for a rule that JSON Schema cannot express. */
export const Note = (sentence: string): PropertyDecorator =>
  addMetadata((metadata) => ({ ...metadata, remarks: [...metadata.remarks, sentence] }));

/** Marks the field as required in the schema; `Required` also validates it. */
export const MarkRequired = (): PropertyDecorator => addMetadata((metadata) => ({ ...metadata, required: true }));

/** Adds schema keywords to the model as a whole. */
export function ModelSchema(schema: JsonSchema): (shape: object) => void {
  return (shape) => void modelSchemas.set(shape, schema);
}

const readOnlyFields = new WeakMap<object, readonly string[]>();

/**
 * Fields of the record that a request does not change. They are accepted and ignored, as `readOnly` in the schema says, so
 * that a record can be sent back as it was read.
 */
export function ReadOnlyFields(...names: readonly string[]): (shape: object) => void {
  return (shape) => void readOnlyFields.set(shape, names);
}

/** The schema of a read-only field, whose value does not matter. */
export const READ_ONLY_SCHEMA: JsonSchema = {
  readOnly: true,
  description: 'As in the record. Ignored in requests.',
};

/** One documented field of a request. */
export interface RequestField {
  readonly name: string;
  readonly required: boolean;
  /** With description, example and default, if any. */
  readonly schema: JsonSchema;
}

/** The documented fields of a class, after those of its base classes. */
export function listRequestFields(shape: new () => object): readonly RequestField[] {
  const initial = new shape();
  const fields = new Map(listClassHierarchy(shape).flatMap((each) => [...(metadataByClass.get(each) ?? [])]));
  return Array.from(fields, ([name, { required, schema, remarks }]) => {
    const defaultValue: unknown = Reflect.get(initial, name);
    return {
      name,
      required,
      schema: {
        ...schema,
        ...mergeDescription(schema, remarks),
        ...(defaultValue !== undefined && { default: defaultValue }),
      },
    };
  });
}

/** Base classes first. */
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

/**
 * JSON Schema of a request body, which has no other fields. Optional fields are nullable, since null means the same as
 * omitting the field.
 */
export function buildBodySchema(shape: new () => object): JsonSchema {
  const fields = listRequestFields(shape);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    $id: shape.name,
    type: 'object',
    ...modelSchemas.get(shape),
    ...(required.length > 0 && { required }),
    properties: {
      ...Object.fromEntries(
        fields.map(({ name, required: isRequired, schema }) => [name, isRequired ? schema : toNullableSchema(schema)]),
      ),
      ...Object.fromEntries((readOnlyFields.get(shape) ?? []).map((name) => [name, READ_ONLY_SCHEMA])),
    },
    additionalProperties: false,
  };
}

function toNullableSchema({ type, enum: words, ...rest }: JsonSchema): JsonSchema {
  if (typeof type !== 'string' || '$id' in rest)
    throw new TypeError('An optional field must have a single plain type, so that it can be nullable');
  return { type: [type, 'null'], ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }), ...rest };
}
