import {
  IsDefined,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { ISO_INSTANT, parseInstant, parseUuid } from './parse-values.js';
import { FieldSchema, MarkRequired, Note, type JsonSchema } from './field-metadata.js';

/** Rules for fields. Each also tells what of it JSON Schema can say, and the rest in words. */

/** Longest text that a field of a request may hold, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 4_096;
/** Most filters that one search may combine. */
export const MAX_SCALARS = 64;

/** A search goes no further than this: the number of skipped rows stays an exact integer. */
export const MAX_PAGE = 1_000_000_000;

/** A text that may be empty; lengths are in characters. */
export const textSchema = (max: number): JsonSchema => ({ type: 'string', maxLength: max });
/** A text that says something: not only white space. */
export const nonBlankTextSchema = (max: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: '\\S',
});
const UUID_SCHEMA: JsonSchema = {
  type: 'string',
  format: 'uuid',
  pattern: '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$',
};
/** Seconds may be left out, which `date-time` has not; up to nine digits of a fraction count. */
const INSTANT_SCHEMA: JsonSchema = { type: 'string', format: 'date-time', pattern: ISO_INSTANT.source };
const SCALAR_MAP_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: MAX_SCALARS,
  propertyNames: { maxLength: MAX_TEXT_LENGTH },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: MAX_TEXT_LENGTH },
};

/** Validators run in the order of their registration, which for decorators is from the last to the first. */
const combineDecorators =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

export const Required = (): PropertyDecorator =>
  combineDecorators(IsDefined({ message: '$property is required' }), MarkRequired());
export const OneOf = (words: readonly string[]): PropertyDecorator =>
  combineDecorators(IsIn(words), FieldSchema({ type: 'string', enum: [...words] }));

export const WholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): PropertyDecorator =>
  combineDecorators(
    IsInt({ message: '$property must be an integer' }),
    Min(min),
    Max(max),
    FieldSchema({ type: 'integer', minimum: min, maximum: max }),
  );

/** Decimal digits: parameters of a query are texts. */
export const WholeNumberString = (min: number, max: number): PropertyDecorator =>
  createValidator(
    'wholeNumberText',
    `$property must be a whole number from ${min} to ${max}`,
    (value) => typeof value === 'string' && /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max,
    FieldSchema({ type: 'integer', minimum: min, maximum: max }),
  );

export const Text = (): PropertyDecorator =>
  combineDecorators(IsString(), MaxLength(MAX_TEXT_LENGTH), FieldSchema(textSchema(MAX_TEXT_LENGTH)));

/** Words for people to read or hear: something that is no white space. */
export const NonBlankText = (max: number): PropertyDecorator =>
  combineDecorators(
    IsString(),
    MaxLength(max),
    createValidator(
      'words',
      '$property must not be blank',
      (value) => typeof value === 'string' && value.trim() !== '',
      FieldSchema(nonBlankTextSchema(max)),
    ),
  );

export const IsUuid = (): PropertyDecorator =>
  createValidator(
    'isUuid',
    '$property must be a UUID',
    (value) => typeof value === 'string' && parseUuid(value) !== undefined,
    FieldSchema(UUID_SCHEMA),
  );

export const NumberWithin = (min: number, max: number): PropertyDecorator =>
  createValidator(
    'numberWithin',
    `$property must be a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
    FieldSchema({ type: 'number', minimum: min, maximum: max }),
  );

export const IsInstant = (): PropertyDecorator =>
  createValidator(
    'isInstant',
    '$property must be an ISO 8601 datetime with Z or an offset',
    (value) => parseOptionalInstant(value) !== undefined,
    FieldSchema(INSTANT_SCHEMA),
  );

/** Silent as long as one of the two is no instant, which is said elsewhere. */
export const IsAfter = (other: string): PropertyDecorator =>
  createValidator(
    'isAfter',
    `$property must be after ${other}`,
    (value, sibling) => {
      const [end, start] = [parseOptionalInstant(value), parseOptionalInstant(sibling(other))];
      return end === undefined || start === undefined || end > start;
    },
    Note(`Must be after ${other}.`),
  );

/** The same moment will do. */
export const IsNotBefore = (other: string): PropertyDecorator =>
  createValidator(
    'isNotBefore',
    `$property must not be before ${other}`,
    (value, sibling) => {
      const [end, start] = [parseOptionalInstant(value), parseOptionalInstant(sibling(other))];
      return end === undefined || start === undefined || end >= start;
    },
    Note(`Must not be before ${other}.`),
  );

/** At most `ms` after the other, which `inWords` says to people. Silent as long as one of the two is no instant. */
export const IsWithin = (ms: number, other: string, inWords: string): PropertyDecorator =>
  createValidator(
    'isWithin',
    `$property must be at most ${inWords} after ${other}`,
    (value, sibling) => {
      const [end, start] = [parseOptionalInstant(value), parseOptionalInstant(sibling(other))];
      return end === undefined || start === undefined || end - start <= BigInt(ms) * 1_000_000n;
    },
    Note(`At most ${inWords} after ${other}.`),
  );

/** Silent as long as one of the two is no number, which is said elsewhere. */
export const IsNotBelow = (other: string): PropertyDecorator =>
  createValidator(
    'isNotBelow',
    `$property must not be less than ${other}`,
    (value, sibling) => {
      const bound = sibling(other);
      return typeof value !== 'number' || typeof bound !== 'number' || value >= bound;
    },
    Note(`Must not be less than ${other}.`),
  );

/** A text of these words, separated by commas. */
export const CommaSeparated = (words: readonly string[]): PropertyDecorator =>
  createValidator(
    'someOf',
    `$property must be one or more of ${words.join(', ')}, separated by commas`,
    (value) => typeof value === 'string' && value.split(',').every((word) => words.includes(word)),
    FieldSchema({ type: 'array', items: { type: 'string', enum: [...words] }, minItems: 1 }),
  );

/** An object of strings, numbers and booleans by any keys: nothing nested, and so nothing that could be read as an operator. */
export const IsScalarMap = (): PropertyDecorator =>
  createValidator(
    'isScalarMap',
    `$property must be an object of at most ${MAX_SCALARS} strings, numbers or booleans, each of at most ${MAX_TEXT_LENGTH} characters`,
    isScalarMap,
    FieldSchema(SCALAR_MAP_SCHEMA),
  );

export type Scalar = string | number | boolean;

/** Own keys only; `__proto__` is a key like any other. */
export type ScalarMap = Readonly<Record<string, Scalar>>;

function isScalarMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_SCALARS && entries.every(([key, scalar]) => key.length <= MAX_TEXT_LENGTH && isScalar(scalar))
  );
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length <= MAX_TEXT_LENGTH
    : typeof value === 'boolean' || Number.isFinite(value);
}

function parseOptionalInstant(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

type Check = (value: unknown, sibling: (name: string) => unknown) => boolean;

/** `told`: what clients are told of it. */
function createValidator(name: string, message: string, check: Check, told: PropertyDecorator): PropertyDecorator {
  const validate = (value: unknown, args?: ValidationArguments): boolean => {
    const request: object = args?.object ?? {};
    return check(value, (name) => Reflect.get(request, name));
  };
  return combineDecorators(ValidateBy({ name, validator: { validate, defaultMessage: () => message } }), told);
}
