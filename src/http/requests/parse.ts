import { getMetadataStorage, IsObject, validateSync } from 'class-validator';
import type { FieldError } from '../../errors.js';
import { bodySchema, Fits } from './field-schemas.js';

/** A class whose decorated properties are the fields of a request, and whose initial values are their defaults. */
export type RequestClass<T extends object> = new () => T;

/** For operations that take no query or no body. */
export class Nothing {}
export const NOTHING: RequestClass<Nothing> = Nothing;

export type Parsed<T> = { readonly value: T; readonly errors: readonly FieldError[] };

/**
 * What was sent, as the class has it. Types are strict: nothing is converted. Null is the same as absent, where it does not count. Fields that the
 * class does not have are ignored, so that nothing but its own properties is ever assigned; one that differs from its own
 * by case alone is a fault, for a filter that is silently left out finds everything. At most one fault a field.
 */
export function parse<T extends object>(shape: RequestClass<T>, sent: unknown): Parsed<T> {
  const value = new shape();
  if (!isPlainObject(sent)) return { value, errors: [{ field: '', message: 'the body must be an object' }] };
  const fields = fieldsOf(shape);
  if (fields.size === 0) return { value, errors: [] };
  const nullCounts = nullable.get(shape);
  for (const field of fields) assignOwn(value, field, sent, nullCounts?.has(field));
  const ofFields = [...misspelt(fields, sent), ...parseNested(shape, value), ...faultsOf(value)];
  return { value, errors: [...ofFields, ...faultsByRules(shape, value, ofFields)] };
}

const nullable = new WeakMap<object, Set<string>>();

/** For a field in which null says something else than its absence. */
export const NullCounts = (): PropertyDecorator => (target, property) => {
  const fields = nullable.get(target.constructor) ?? new Set<string>();
  nullable.set(target.constructor, fields.add(String(property)));
};

type Rules = (value: never) => readonly FieldError[];

const rulesByShape = new WeakMap<object, Rules>();

/**
 * The whole is as rules of another room have it, which take anything for a field: told in their words after the name of
 * the field, such as `charts[0].chartId`. Fields that are right by the rules alone are decorated with `Allow`.
 */
export function FollowsRules<T extends object>(rules: (value: T) => readonly FieldError[]): (shape: RequestClass<T>) => void {
  return (shape) => void rulesByShape.set(shape, rules);
}

/** A field that is at fault already is not told twice, nor are its parts. */
function faultsByRules(shape: RequestClass<object>, value: object, told: readonly FieldError[]): FieldError[] {
  const isTold = (field: string): boolean => told.some((fault) => fault.field === /^[^.[]*/.exec(field)?.[0]);
  const faults = rulesByShape.get(shape)?.(value as never) ?? [];
  return faults.filter(({ field }) => !isTold(field)).map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

const nestedShapes = new WeakMap<object, Map<string, RequestClass<object>>>();

/** The field is an object of that class: parsed like the whole, its faults named `field.part`. */
export function ObjectOf(shape: RequestClass<object>): PropertyDecorator {
  return (target, property) => {
    const shapes = nestedShapes.get(target.constructor) ?? new Map<string, RequestClass<object>>();
    nestedShapes.set(target.constructor, shapes.set(String(property), shape));
    IsObject({ message: '$property must be an object' })(target, property);
    Fits(bodySchema(shape))(target, property);
  };
}

/** Puts what was sent for nested fields into their classes; answers their faults. */
function parseNested(shape: RequestClass<object>, value: object): FieldError[] {
  return Array.from(nestedShapes.get(shape) ?? [], ([field, inner]) => {
    const sent: unknown = Reflect.get(value, field);
    if (!isPlainObject(sent)) return [];
    const parsed = parse(inner, sent);
    Reflect.set(value, field, parsed.value);
    return parsed.errors.map(({ field: part, message }) => ({ field: `${field}.${part}`, message }));
  }).flat();
}

/** Not an array; anything else that JSON calls an object. */
function isPlainObject(sent: unknown): sent is object {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

const fieldsByShape = new WeakMap<object, ReadonlySet<string>>();

/** Names of the fields. Read from the decorators, which are complete once the class exists. */
export function fieldsOf(shape: RequestClass<object>): ReadonlySet<string> {
  let fields = fieldsByShape.get(shape);
  if (fields === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    fields = new Set(rules.map((rule) => rule.propertyName));
    fieldsByShape.set(shape, fields);
  }
  return fields;
}

function assignOwn(value: object, field: string, sent: object, nullCounts = false): void {
  const given: unknown = Object.getOwnPropertyDescriptor(sent, field)?.value;
  if (given === undefined || (given === null && !nullCounts)) return;
  Object.defineProperty(value, field, { value: given, enumerable: true, writable: true, configurable: true });
}

/** Fields that were sent with a known name in other letters, such as `servicename`. */
function misspelt(fields: ReadonlySet<string>, sent: object): FieldError[] {
  const spellings = new Map(Array.from(fields, (field) => [field.toLowerCase(), field]));
  const faults = new Map<string, FieldError>();
  for (const name of Object.keys(sent)) {
    const field = spellings.get(name.toLowerCase());
    if (field === undefined || field === name) continue;
    faults.set(field, { field: name, message: `${name} is not known: the field is spelt ${field}` });
  }
  return [...faults.values()];
}

function faultsOf(value: object): FieldError[] {
  const faults = validateSync(value, { stopAtFirstError: true, validationError: { target: false, value: false } });
  return faults.map(({ property, constraints = {} }) => ({ field: property, message: Object.values(constraints)[0] ?? `${property} is invalid` }));
}
