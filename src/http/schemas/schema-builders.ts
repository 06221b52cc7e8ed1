import Type, {
  type Static,
  type TArray,
  type TInteger,
  type TNull,
  type TNumber,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
} from 'typebox';
import type { AttributeValue } from '../../telemetry/attributes.js';

/**
 * The words that schemas of answers are written in. Each field says what it means and in which unit, and gives an example:
 * the examples of the document are made of these.
 */

/** A record with exactly these members, under a name that is unique in the document. An example is needed where those of the members do not go together. */
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

/** The same for an object that has its place in one record alone, and so no name. */
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

/** As `iso` prints it. */
export const instant = (description: string, example = '2026-03-14T09:26:00.000Z'): TString =>
  Type.String({ format: 'date-time', description: `${description} UTC, with milliseconds.`, examples: [example] });

export const flag = (description: string, example: boolean): ReturnType<typeof Type.Boolean> =>
  Type.Boolean({ description, examples: [example] });

/** How many of something there are. */
export const count = (description: string, example: number): TInteger =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const whole = (description: string, example: number): TInteger =>
  Type.Integer({ description, examples: [example] });
export const number = (description: string, example: number): TNumber =>
  Type.Number({ description, examples: [example] });

/** Of rates, 0 to 100; with two decimals, as all percentages have. */
export const percent = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, description: `${description} Percent, 2 decimals.`, examples: [example] });

export const milliseconds = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, description: `${description} Milliseconds, 2 decimals.`, examples: [example] });

/** 0 to 1, as Apdex and confidence are. */
export const fraction = (description: string, example: number): TNumber =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });

/** One of these words; the document lists them all. */
export function choice<const Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word> = words[0],
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], description, examples: [example] });
}

export const listOf = <Item extends TSchema>(item: Item, description: string): TArray<Item> =>
  Type.Array(item, { description });

/** A list as long as what it lists, in an answer that is nothing else: `{ "rules": [...] }`. */
export function listing<const Members extends TProperties>(
  name: string,
  description: string,
  lists: Members,
): TObject<Members> {
  return record(name, description, lists);
}

/** Null where there is none; `description` says when that is. */
export const nullable = <Value extends TSchema>(value: Value, description: string): TUnion<[Value, TNull]> =>
  Type.Union([value, Type.Null()], { description });

/** Attributes of telemetry, by any keys. */
export function attributes(description: string): TUnsafe<Readonly<Record<string, AttributeValue>>> {
  return Type.Unsafe<Readonly<Record<string, AttributeValue>>>({
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: `${description} Values are strings or numbers: whole numbers beyond 2^53 − 1 are decimal strings, booleans "true" or "false", bytes base64, lists and maps JSON text.`,
    examples: [{ 'http.request.method': 'POST', 'http.response.status_code': 503 }],
  });
}

/** What a schema stands for, as it may be handed to be sent: nothing in it changes, and lists may be presented while they are written. */
export type ResponseBody<Schema extends TSchema> = SerializableAs<Static<Schema>>;

export type SerializableAs<Value> = Value extends readonly (infer Item)[]
  ? readonly SerializableAs<Item>[] | LazyList<SerializableAs<Item>>
  : Value extends object
    ? { readonly [Member in keyof Value]: SerializableAs<Value[Member]> }
    : Value;

/** See `PresentedList`. */
interface LazyList<Item> {
  toJSON(): readonly Item[];
}
