import Type, {
  type Static,
  type TArray,
  type TInteger,
  type TLiteral,
  type TNull,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
} from 'typebox';
import type { AttributeValue } from '../../telemetry/attributes.js';

/**
 * Builders for response schemas. Each field has a description with its unit and an example, from which the examples of the
 * OpenAPI document are built.
 */

/**
 * An object with exactly these members.
 * @param name unique in the OpenAPI document
 * @param example needed if the examples of the members do not fit together
 */
export function record<const Members extends TProperties>(
  name: string,
  description: string,
  members: Members,
  example?: object,
): TObject<Members> {
  return Type.Object(members, {
    $id: name,
    description,
    additionalProperties: false,
    ...(example !== undefined && { examples: [example] }),
  });
}

/** An unnamed object that is used in one record only. */
export function inlineRecord<const Members extends TProperties>(
  description: string,
  fields: Members,
): TObject<Members> {
  return Type.Object(fields, { description, additionalProperties: false });
}

export const text = (description: string, example: string): TString =>
  Type.String({ description, examples: [example] });
export const uuid = (description: string, example = '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'): TString =>
  Type.String({ format: 'uuid', description, examples: [example] });

/** A timestamp as `formatTimestamp` prints it. */
export const instant = (description: string, example = '2026-03-14T09:26:00.000Z'): TString =>
  Type.String({ format: 'date-time', description: `${description} UTC, with milliseconds.`, examples: [example] });

/** Nanoseconds since 1970 as a decimal string, which JSON numbers cannot hold exactly (as OTLP/JSON writes them). */
export const unixNanos = (description: string, example: string): TString =>
  Type.String({ pattern: '^[0-9]+$', description: `${description} Nanoseconds since 1970.`, examples: [example] });

export const flag = (description: string, example: boolean): ReturnType<typeof Type.Boolean> =>
  Type.Boolean({ description, examples: [example] });

/** A non-negative integer. */
export const count = (description: string, example: number): TInteger =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** An integer. */
export const whole = (description: string, example: number): TInteger =>
  Type.Integer({ description, examples: [example] });
export const number = (description: string, example: number): TNumber =>
  Type.Number({ description, examples: [example] });

/** A percentage with 2 decimals; rates are 0 to 100. */
export const percent = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, description: `${description} Percent, 2 decimals.`, examples: [example] });

export const milliseconds = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, description: `${description} Milliseconds, 2 decimals.`, examples: [example] });

/** A number from 0 to 1, such as Apdex and confidence. */
export const fraction = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });

/** One of these strings. */
export function choice<const Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word> = words[0],
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], description, examples: [example] });
}

export const listOf = <Item extends TSchema>(item: Item, description: string): TArray<Item> =>
  Type.Array(item, { description });

/** A response that consists of a list, such as `{ "rules": [...] }`. */
export function listing<const Members extends TProperties>(
  name: string,
  description: string,
  lists: Members,
): TObject<Members> {
  return record(name, description, lists);
}

/** The field of a response whose stored record is damaged; `missing` says what is empty then. */
export const damageMarker = (missing: string): TOptional<TLiteral<true>> =>
  Type.Optional(
    Type.Literal(true, {
      description: `Present only if the stored record is damaged: ${missing}.`,
      examples: [true],
    }),
  );

/** A value or null; `description` says when it is null. */
export const nullable = <Value extends TSchema>(value: Value, description: string): TUnion<[Value, TNull]> =>
  Type.Union([value, Type.Null()], { description });

/** Telemetry attributes with any keys. */
export function attributes(description: string): TUnsafe<Readonly<Record<string, AttributeValue>>> {
  return Type.Unsafe<Readonly<Record<string, AttributeValue>>>({
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: `${description} Values are strings or numbers: integers beyond 2^53 − 1 are decimal strings, booleans are "true" or "false", bytes are base64, lists and maps are JSON text.`,
    examples: [{ 'http.request.method': 'POST', 'http.response.status_code': 503 }],
  });
}

/** Names and values of an alert's labels. */
export function labels(description: string): TUnsafe<Readonly<Record<string, string>>> {
  return Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [{ 'customer.tier': 'gold' }],
  });
}

/** The type of a response body: the type of the schema, readonly, with lists that may be streamed. */
export type ResponseBody<Schema extends TSchema> = SerializableAs<Static<Schema>>;

export type SerializableAs<Value> = Value extends readonly (infer Item)[]
  ? readonly SerializableAs<Item>[] | LazyList<SerializableAs<Item>>
  : Value extends object
    ? { readonly [Member in keyof Value]: SerializableAs<Value[Member]> }
    : Value;

/** Structural type of `StreamedList`. */
interface LazyList<Item> {
  toJSON(): readonly Item[];
}
