import type { JsonSchema } from '../requests/field-schemas.js';

/** A value that the schema allows, made of the examples of its fields. */
export function exampleOf(schema: object): unknown {
  const { examples, anyOf, items, properties } = schema as JsonSchema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as object);
  if (isObject(items)) return [exampleOf(items)];
  if (isObject(properties)) return Object.fromEntries(Object.entries(properties).map(([name, part]: [string, object]) => [name, exampleOf(part)]));
  throw new TypeError(`No example can be made of ${JSON.stringify(schema)}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
