import { getMetadataStorage, IsObject, validateSync } from 'class-validator';
import type { FieldError } from '../../errors.js';
import { buildBodySchema, FieldSchema } from './field-metadata.js';

/** A class whose decorated properties are the fields of a request, and whose initial values are their defaults. */
export type RequestClass<T extends object> = new () => T;

/** For operations that take no query or no body. */
export class EmptyRequest {}
export const EMPTY_REQUEST: RequestClass<EmptyRequest> = EmptyRequest;
export type ParsedRequest<T> = { readonly value: T; readonly errors: readonly FieldError[] };

/**
 * What was sent, as the class has it. Types are strict: nothing is converted. Null is the same as absent, where it does not count. Fields that the
 * class does not have are ignored, so that nothing but its own properties is ever assigned; one that differs from its own
 * by case alone is a fault, for a filter that is silently left out finds everything. At most one fault a field.
 */
export function parseRequest<T extends object>(shape: RequestClass<T>, sent: unknown): ParsedRequest<T> {
  const value = new shape();
  if (!isPlainObject(sent)) return { value, errors: [{ field: '', message: 'the body must be an object' }] };
  const fields = listFieldNames(shape);
  if (fields.size === 0) return { value, errors: [] };
  const nullCounts = nullableFields.get(shape);
  for (const field of fields) assignOwnProperty(value, field, sent, nullCounts?.has(field));
  const ofFields = [
    ...findMisspelledFields(fields, sent),
    ...parseNested(shape, value),
    ...findConstraintErrors(value),
  ];
  return { value, errors: [...ofFields, ...findDomainErrors(shape, value, ofFields)] };
}

const nullableFields = new WeakMap<object, Set<string>>();

/** For a field in which null says something else than its absence. */
export const AllowNull = (): PropertyDecorator => (target, property) => {
  const fields = nullableFields.get(target.constructor) ?? new Set<string>();
  nullableFields.set(target.constructor, fields.add(String(property)));
};

type ModelRules = (value: never) => readonly FieldError[];
const rulesByClass = new WeakMap<object, ModelRules>();

/**
 * The whole is as rules of another room have it, which take anything for a field: told in their words after the name of
 * the field, such as `charts[0].chartId`. Fields that are right by the rules alone are decorated with `Allow`.
 */
export function FollowsDomainRules<T extends object>(
  rules: (value: T) => readonly FieldError[],
): (shape: RequestClass<T>) => void {
  return (shape) => void rulesByClass.set(shape, rules);
}

/** A field that is at fault already is not told twice, nor are its parts. */
function findDomainErrors(shape: RequestClass<object>, value: object, told: readonly FieldError[]): FieldError[] {
  const isTold = (field: string): boolean => told.some((fault) => fault.field === /^[^.[]*/.exec(field)?.[0]);
  const faults = rulesByClass.get(shape)?.(value as never) ?? [];
  return faults
    .filter(({ field }) => !isTold(field))
    .map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

const nestedClasses = new WeakMap<object, Map<string, RequestClass<object>>>();

/** The field is an object of that class: parsed like the whole, its faults named `field.part`. */
export function NestedObject(shape: RequestClass<object>): PropertyDecorator {
  return (target, property) => {
    const shapes = nestedClasses.get(target.constructor) ?? new Map<string, RequestClass<object>>();
    nestedClasses.set(target.constructor, shapes.set(String(property), shape));
    IsObject({ message: '$property must be an object' })(target, property);
    FieldSchema(buildBodySchema(shape))(target, property);
  };
}

/** Puts what was sent for nested fields into their classes; answers their faults. */
function parseNested(shape: RequestClass<object>, value: object): FieldError[] {
  return Array.from(nestedClasses.get(shape) ?? [], ([field, inner]) => {
    const sent: unknown = Reflect.get(value, field);
    if (!isPlainObject(sent)) return [];
    const parsed = parseRequest(inner, sent);
    Reflect.set(value, field, parsed.value);
    return parsed.errors.map(({ field: part, message }) => ({ field: `${field}.${part}`, message }));
  }).flat();
}

/** Not an array; anything else that JSON calls an object. */
function isPlainObject(sent: unknown): sent is object {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

const fieldNamesByClass = new WeakMap<object, ReadonlySet<string>>();

/** Names of the fields. Read from the decorators, which are complete once the class exists. */
export function listFieldNames(shape: RequestClass<object>): ReadonlySet<string> {
  let fields = fieldNamesByClass.get(shape);
  if (fields === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    fields = new Set(rules.map((rule) => rule.propertyName));
    fieldNamesByClass.set(shape, fields);
  }
  return fields;
}

function assignOwnProperty(value: object, field: string, sent: object, nullCounts = false): void {
  const given: unknown = Object.getOwnPropertyDescriptor(sent, field)?.value;
  if (given === undefined || (given === null && !nullCounts)) return;
  Object.defineProperty(value, field, { value: given, enumerable: true, writable: true, configurable: true });
}

/** Fields that were sent with a known name in other letters, such as `servicename`. */
function findMisspelledFields(fields: ReadonlySet<string>, sent: object): FieldError[] {
  const spellings = new Map(Array.from(fields, (field) => [field.toLowerCase(), field]));
  const faults = new Map<string, FieldError>();
  for (const name of Object.keys(sent)) {
    const field = spellings.get(name.toLowerCase());
    if (field === undefined || field === name) continue;
    faults.set(field, { field: name, message: `${name} is not known: the field is spelt ${field}` });
  }
  return [...faults.values()];
}

function findConstraintErrors(value: object): FieldError[] {
  const faults = validateSync(value, { stopAtFirstError: true, validationError: { target: false, value: false } });
  return faults.map(({ property, constraints = {} }) => ({
    field: property,
    message: Object.values(constraints)[0] ?? `${property} is invalid`,
  }));
}
