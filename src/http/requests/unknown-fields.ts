import type { FieldError } from '../../errors.js';
import type { JsonSchema } from './field-metadata.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Unknown fields that one response names; the rest is counted. A body of 1 MiB holds more than a hundred thousand. */
const MAX_NAMED = 100;

/** Characters of a name in a response. */
const MAX_NAME_LENGTH = 200;

/**
 * One error for each field that the schema does not have, in objects of any depth, named by its path such as
 * `charts[0].position.z`. Objects with free keys (`additionalProperties`) may have any. Values are not validated.
 */
export function findUnknownFields(schema: JsonSchema, sent: unknown): FieldError[] {
  const unknown = new UnknownFields();
  collectUnknownFields(schema, sent, '', unknown);
  return unknown.toErrors();
}

/** One error for each name that is not known, for parameters and form fields. */
export function findUnknownNames(names: Iterable<string>, known: readonly string[]): FieldError[] {
  const unknown = new UnknownFields();
  for (const name of new Set(names)) if (!known.includes(name)) unknown.add(name, '', () => known);
  return unknown.toErrors();
}

function collectUnknownFields(schema: JsonSchema, sent: unknown, path: string, unknown: UnknownFields): void {
  const { properties, items } = schema as { readonly properties?: Record<string, JsonSchema>; readonly items?: object };
  if (Array.isArray(sent) && items !== undefined)
    sent.forEach((each, at) => collectUnknownFields(items as JsonSchema, each, `${path}[${at}]`, unknown));
  if (properties === undefined || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
  const prefix = path === '' ? '' : `${path}.`;
  for (const name of Object.keys(sent)) {
    if (Object.hasOwn(properties, name))
      collectUnknownFields(properties[name], (sent as JsonObject)[name], `${prefix}${name}`, unknown);
    else unknown.add(name, prefix, () => Object.keys(properties));
  }
}

/** Builds errors only for the fields that the response names, because building one for each would block the thread. */
class UnknownFields {
  private readonly named: FieldError[] = [];
  private unnamed = 0;

  add(name: string, prefix: string, known: () => readonly string[]): void {
    if (this.named.length < MAX_NAMED) this.named.push(createUnknownError(name, prefix, known()));
    else this.unnamed++;
  }

  toErrors(): FieldError[] {
    if (this.unnamed === 0) return this.named;
    return [...this.named, { field: '', message: `${this.unnamed} more fields are unknown` }];
  }
}

/** Suggests the name that differs only in case. */
function createUnknownError(name: string, prefix: string, known: readonly string[]): FieldError {
  const field = `${prefix}${shorten(name)}`;
  if (name === '') return { field, message: 'a field without a name is unknown' };
  const spelled = known.find((each) => each.toLowerCase() === name.toLowerCase());
  const suggestion = spelled === undefined ? '' : `; the field is spelled ${prefix}${spelled}`;
  return { field, message: `${field} is unknown${suggestion}` };
}

function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}
