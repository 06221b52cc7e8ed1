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
import { ISO_INSTANT, parseInstant, parseUuid } from './request-parser.js';
import { FieldSchema, MarkRequired, Note, type JsonSchema } from './field-metadata.js';

/** Field validators. Each also adds its rule to the JSON Schema of the field, or to the description if that is not possible. */

/** Longest string in a request field, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 4_096;
/** Maximum number of attribute filters in one search. */
export const MAX_SCALARS = 64;

/** Last page of a search: keeps the number of skipped rows an exact integer. */
export const MAX_PAGE = 1_000_000_000;

/** A string that may be empty; lengths are in characters. */
export const textSchema = (max: number): JsonSchema => ({ type: 'string', maxLength: max });
/** A string with at least one non-whitespace character. */
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
/** Unlike `date-time`, seconds are optional; fractions have up to nine digits. */
const INSTANT_SCHEMA: JsonSchema = { type: 'string', format: 'date-time', pattern: ISO_INSTANT.source };
const SCALAR_MAP_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: MAX_SCALARS,
  propertyNames: { maxLength: MAX_TEXT_LENGTH },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: MAX_TEXT_LENGTH },
};

/** Validators run in the order of registration, which for decorators is from last to first. */
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

/** An integer in decimal digits, since query parameters are strings. */
export const WholeNumberString = (min: number, max: number): PropertyDecorator =>
  createValidator(
    'wholeNumberText',
    `$property must be a whole number from ${min} to ${max}`,
    (value) => typeof value === 'string' && /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max,
    FieldSchema({ type: 'integer', minimum: min, maximum: max }),
  );

export const Text = (): PropertyDecorator =>
  combineDecorators(IsString(), MaxLength(MAX_TEXT_LENGTH), FieldSchema(textSchema(MAX_TEXT_LENGTH)));

/** A string with at least one non-whitespace character. */
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

/** Passes if one of the two is not a valid timestamp; IsInstant reports that. */
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

/** Like IsAfter, but accepts equal timestamps. */
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

/**
 * At most `ms` after the other field. Passes if one of the two is not a valid timestamp.
 * @param inWords the duration in the error message
 */
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

/** Passes if one of the two is not a number; other validators report that. */
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

/** A comma-separated list of these words. */
export const CommaSeparated = (words: readonly string[]): PropertyDecorator =>
  createValidator(
    'someOf',
    `$property must be one or more of ${words.join(', ')}, separated by commas`,
    (value) => typeof value === 'string' && value.split(',').every((word) => words.includes(word)),
    FieldSchema({ type: 'array', items: { type: 'string', enum: [...words] }, minItems: 1 }),
  );

/** An object with scalar values and any keys. Nested values are rejected, so that none can be read as a query operator. */
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

/** @param documentation decorator that adds the rule to the schema or the description */
function createValidator(
  name: string,
  message: string,
  check: Check,
  documentation: PropertyDecorator,
): PropertyDecorator {
  const validate = (value: unknown, args?: ValidationArguments): boolean => {
    const request: object = args?.object ?? {};
    return check(value, (name) => Reflect.get(request, name));
  };
  return combineDecorators(ValidateBy({ name, validator: { validate, defaultMessage: () => message } }), documentation);
}
