import { getMetadataStorage, IsObject, validateSync } from 'class-validator';
import type { FieldError } from '../../errors.js';
import { buildBodySchema, FieldSchema, type JsonSchema } from './field-metadata.js';

/** A class whose decorated properties are the fields of a request; their initial values are the defaults. */
export type RequestClass<T extends object> = new () => T;

/** For operations without query parameters or without a body. */
export class EmptyRequest {}

export const EMPTY_REQUEST: RequestClass<EmptyRequest> = EmptyRequest;

export type ParsedRequest<T> = { readonly value: T; readonly errors: readonly FieldError[] };

/**
 * Parses and validates input by the decorators of the class. Types are not converted. Null means the same as an absent field,
 * except for `AllowNull` fields. Unknown fields are errors and never assigned, because silently ignoring a misspelled filter
 * would return everything; the schema's read-only fields are accepted and not assigned. At most one error per field.
 */
export function parseRequest<T extends object>(shape: RequestClass<T>, sent: unknown): ParsedRequest<T> {
  if (!isPlainObject(sent))
    return { value: new shape(), errors: [{ field: '', message: 'the body must be a JSON object' }] };
  const { value, errors } = parseKnownFields(shape, sent);
  return { value, errors: [...findUnknownFields(getBodySchema(shape), sent), ...errors] };
}

function parseKnownFields<T extends object>(shape: RequestClass<T>, sent: object): ParsedRequest<T> {
  const value = new shape();
  const fields = listFieldNames(shape);
  if (fields.size === 0) return { value, errors: [] };
  const nullable = nullableFields.get(shape);
  for (const field of fields) assignOwnProperty(value, field, sent, nullable?.has(field));
  const fieldErrors = [...parseNested(shape, value), ...findConstraintErrors(value)];
  return { value, errors: [...fieldErrors, ...findDomainErrors(shape, value, fieldErrors)] };
}

const schemasByClass = new WeakMap<object, JsonSchema>();

/** The schema of the class, which is built once. */
function getBodySchema(shape: RequestClass<object>): JsonSchema {
  const schema = schemasByClass.get(shape) ?? buildBodySchema(shape);
  schemasByClass.set(shape, schema);
  return schema;
}

const nullableFields = new WeakMap<object, Set<string>>();

/** For fields in which null means something other than absence. */
export const AllowNull = (): PropertyDecorator => (target, property) => {
  const fields = nullableFields.get(target.constructor) ?? new Set<string>();
  nullableFields.set(target.constructor, fields.add(String(property)));
};

type ModelRules = (value: never) => readonly FieldError[];

const rulesByClass = new WeakMap<object, ModelRules>();

/**
 * Validates the model with the rules of a command. They accept fields of any type; their messages are prefixed with the name
 * of the field, such as `charts[0].chartId`. Fields that only these rules validate are decorated with `Allow`.
 */
export function FollowsDomainRules<T extends object>(
  rules: (value: T) => readonly FieldError[],
): (shape: RequestClass<T>) => void {
  return (shape) => void rulesByClass.set(shape, rules);
}

/** Skips fields that already have an error, and their parts. */
function findDomainErrors(shape: RequestClass<object>, value: object, reported: readonly FieldError[]): FieldError[] {
  const isReported = (field: string): boolean => reported.some((error) => error.field === /^[^.[]*/.exec(field)?.[0]);
  const errors = rulesByClass.get(shape)?.(value as never) ?? [];
  return errors
    .filter(({ field }) => !isReported(field))
    .map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

const nestedClasses = new WeakMap<object, Map<string, RequestClass<object>>>();

/** The field is an object of that class, parsed in the same way; its errors are named `field.part`. */
export function NestedObject(shape: RequestClass<object>): PropertyDecorator {
  return (target, property) => {
    const shapes = nestedClasses.get(target.constructor) ?? new Map<string, RequestClass<object>>();
    nestedClasses.set(target.constructor, shapes.set(String(property), shape));
    IsObject({ message: '$property must be an object' })(target, property);
    FieldSchema(buildBodySchema(shape))(target, property);
  };
}

/** Replaces nested fields of the value with instances of their classes; returns their errors. */
function parseNested(shape: RequestClass<object>, value: object): FieldError[] {
  return Array.from(nestedClasses.get(shape) ?? [], ([field, inner]) => {
    const sent: unknown = Reflect.get(value, field);
    if (!isPlainObject(sent)) return [];
    const parsed = parseKnownFields(inner, sent);
    Reflect.set(value, field, parsed.value);
    return parsed.errors.map(({ field: part, message }) => ({ field: `${field}.${part}`, message }));
  }).flat();
}

/** A JSON object: neither null nor an array. */
function isPlainObject(sent: unknown): sent is object {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

const fieldNamesByClass = new WeakMap<object, ReadonlySet<string>>();

/** Names of the decorated fields, cached per class. */
export function listFieldNames(shape: RequestClass<object>): ReadonlySet<string> {
  let fields = fieldNamesByClass.get(shape);
  if (fields === undefined) {
    const validations = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    fields = new Set(validations.map(({ propertyName }) => propertyName));
    fieldNamesByClass.set(shape, fields);
  }
  return fields;
}

function assignOwnProperty(value: object, field: string, sent: object, isNullable = false): void {
  const sentValue: unknown = Object.getOwnPropertyDescriptor(sent, field)?.value;
  if (sentValue === undefined || (sentValue === null && !isNullable)) return;
  Object.defineProperty(value, field, { value: sentValue, enumerable: true, writable: true, configurable: true });
}

function findConstraintErrors(value: object): FieldError[] {
  const errors = validateSync(value, { stopAtFirstError: true, validationError: { target: false, value: false } });
  return errors.map(({ property, constraints = {} }) => ({
    field: property,
    message: Object.values(constraints)[0] ?? `${property} is invalid`,
  }));
}

/** Syntax of a timestamp; `parseInstant` also checks the calendar. */
export const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;

const NS_PER_MS = 1_000_000n;

const MS_PER_MINUTE = 60_000;

/** Years of four digits: later ones could not be formatted in responses. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Nanoseconds since 1970 of an ISO 8601 timestamp: `Z` or an offset is required; seconds and a fraction of up to nine digits
 * are optional. Undefined for anything else, including impossible dates such as 30 February and timestamps outside the
 * years 0 to 9999 in UTC.
 */
export function parseInstant(text: string): bigint | undefined {
  const match = ISO_INSTANT.exec(text);
  if (match === null) return undefined;
  const [, date = '', hoursMinutes = '', seconds = '00', fraction = '', zone = ''] = match;
  const localMs = Date.parse(`${date}T${hoursMinutes}:${seconds}Z`);
  const offset = parseOffsetMinutes(zone);
  if (offset === undefined || !isSameDay(localMs, date)) return undefined;
  const utcMs = localMs - offset * MS_PER_MINUTE;
  if (utcMs < FIRST_MS || utcMs > LAST_MS) return undefined;
  return BigInt(utcMs) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'));
}

/** Detects dates that `Date.parse` shifts, such as 30 February (2 March) and 24:00 (the next day). */
function isSameDay(ms: number, date: string): boolean {
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function parseOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID in lower case, as ids are stored; undefined for other texts. UUIDs are case-insensitive (RFC 9562). */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return UUID_PATTERN.test(lower) ? lower : undefined;
}

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
