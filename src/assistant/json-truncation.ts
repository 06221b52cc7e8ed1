import { jsonSizeBytes, jsonSizeWithin } from './json-size.js';

/** A list that was truncated. */
export interface ListTruncation {
  /** JSON pointer. */
  readonly list: string;
  /** The elements from ≤ i < to of the list's total are included. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  /** Cursor for the elements that follow. */
  readonly next: string;
}

export interface TruncatedValue {
  readonly value: unknown;
  readonly truncations: readonly ListTruncation[];
  /** True if a value was replaced by its size. */
  readonly isReplaced: boolean;
}

const BRACKETS = 2;
const COMMA = 1;

/** Position of a value in the data, and the maximum length of its texts in UTF-16 units. */
export interface TruncationTarget {
  readonly pointer: string;
  /** For lists: index of the first element to include. */
  readonly from?: number;
  readonly textLength: number;
}

/**
 * Truncates a value so that its JSON fits into `bytes`. Parts beyond the limit are not visited, as there may be many.
 */
export function truncateToBudget(value: unknown, bytes: number, place: TruncationTarget): TruncatedValue {
  if (place.from === undefined && jsonSizeWithin(value, bytes) <= bytes)
    return { value, truncations: [], isReplaced: false };
  if (Array.isArray(value)) return truncateList(value, bytes, place);
  return isContainer(value) ? truncateObject(value, bytes, place) : truncateScalar(value, bytes, place);
}

/** Includes at least one element, so that paging always makes progress. */
function truncateList(
  list: readonly unknown[],
  bytes: number,
  { pointer, textLength, from = 0 }: TruncationTarget,
): TruncatedValue {
  const elements: unknown[] = [];
  let remaining = bytes - BRACKETS;
  for (let at = from; at < list.length; at++) {
    const element = truncateTexts(list[at], textLength);
    remaining -= jsonSizeWithin(element, remaining) + COMMA;
    if (remaining < 0) break;
    elements.push(element);
  }
  const to = from + elements.length;
  if (elements.length > 0 || from === list.length)
    return { value: elements, truncations: toListTruncations(pointer, from, to, list.length), isReplaced: false };
  const { value, truncations, isReplaced } = truncateToBudget(list[from], bytes - BRACKETS, {
    pointer: appendPointer(pointer, from),
    textLength,
  });
  return {
    value: [value],
    truncations: [...truncations, ...toListTruncations(pointer, from, from + 1, list.length)],
    isReplaced,
  };
}

/** Members share the available bytes, smallest first: what small ones do not need is left to the larger ones. */
function truncateObject(
  object: Readonly<Record<string, unknown>>,
  bytes: number,
  { pointer, textLength }: TruncationTarget,
): TruncatedValue {
  const sized = Object.entries(object)
    .filter(([, member]) => isContainer(member))
    .map(([name, member]) => ({ name, member, bytes: jsonSizeWithin(member, bytes) }));
  const parts = new Map<string, Pick<TruncatedValue, 'value'>>(
    Object.entries(object).map(([name, member]) => [
      name,
      { value: isContainer(member) ? 0 : truncateTexts(member, textLength) },
    ]),
  );
  let remaining = bytes - jsonSizeBytes(replaceMembers(object, parts));
  const fittedParts: TruncatedValue[] = [];
  for (const [at, { name, member }] of sized.sort((a, b) => (a.bytes < b.bytes ? -1 : 1)).entries()) {
    const part = truncateToBudget(member, Math.floor(remaining / (sized.length - at)), {
      pointer: appendPointer(pointer, name),
      textLength,
    });
    parts.set(name, part);
    fittedParts.push(part);
    remaining -= jsonSizeBytes(part.value);
  }
  if (remaining < 0) return replaceBySize(object);
  return {
    value: replaceMembers(object, parts),
    truncations: fittedParts.flatMap(({ truncations }) => truncations),
    isReplaced: fittedParts.some(({ isReplaced }) => isReplaced),
  };
}

function truncateScalar(value: unknown, bytes: number, { textLength }: TruncationTarget): TruncatedValue {
  const truncated = truncateTexts(value, textLength);
  return jsonSizeBytes(truncated) <= bytes
    ? { value: truncated, truncations: [], isReplaced: false }
    : replaceBySize(value);
}

/** Keeps the order of members. */
function replaceMembers(
  object: Readonly<Record<string, unknown>>,
  parts: ReadonlyMap<string, Pick<TruncatedValue, 'value'>>,
): object {
  return Object.fromEntries(Object.keys(object).map((name) => [name, parts.get(name)?.value]));
}

function replaceBySize(value: unknown): TruncatedValue {
  return {
    value: { tooLarge: `${Buffer.byteLength(JSON.stringify(value))} bytes` },
    truncations: [],
    isReplaced: true,
  };
}

function toListTruncations(list: string, from: number, to: number, of: number): readonly ListTruncation[] {
  return to < of ? [{ list, from, to, of, next: `${list}:${to}` }] : [];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * A copy in which texts are limited to this many UTF-16 units; truncated texts state their length. Keeps the order of
 * members.
 */
function truncateTexts<Value>(value: Value, length: number): Value {
  return copyTruncated(value, length) as Value;
}

function copyTruncated(value: unknown, length: number): unknown {
  if (typeof value === 'string')
    return value.length <= length ? value : `${truncateText(value, length)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.map((element) => copyTruncated(element, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyTruncated(member, length)]));
}

/** Truncates text without splitting a surrogate pair. */
export function truncateText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Appends a member name or an index to a JSON pointer (RFC 6901). */
function appendPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Undefined if there is no list at this pointer. */
function findList(data: object, pointer: string): readonly unknown[] | undefined {
  let value: unknown = data;
  for (const name of pointer.split('/').slice(1).map(unescapePointerToken)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return Array.isArray(value) ? value : undefined;
}

function unescapePointerToken(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Data as one line of JSON within a size limit (as a string within other JSON), and the lists that were truncated. */
export interface BoundedJson {
  readonly json: string;
  /** Truncated lists, each with a cursor. */
  readonly truncations: readonly ListTruncation[];
}

/** Text lengths (UTF-16 units) to try if not all of the data fits: the first one with which every part fits. */
const TEXT_LENGTHS = [1_000, 200];

const MIN_TEXT_LENGTH = 50;

/** Limits cursors, which contain the pointer of the list. */
const MAX_POINTER_LENGTH = 200;

/**
 * Truncates long texts, then lists, until the data fit. Lists keep their first elements; lists side by side share the
 * space, so that small ones stay complete. Other values that do not fit are replaced by their size.
 *
 * @param next cursor of an earlier result: returns only the following elements of that list; undefined if there is no
 * such list.
 */
export function serializeWithinBudget(data: object, maxBytes: number, next?: string): BoundedJson | undefined {
  if (next === undefined)
    return toBoundedJson(
      chooseTextLength((textLength) => truncateToBudget(data, maxBytes, { pointer: '', textLength }), data, maxBytes),
    );
  const place = parseCursor(next);
  const elements = place && findList(data, place.pointer);
  if (place === undefined || elements === undefined || place.from > elements.length) return undefined;
  const around = { list: place.pointer, from: place.from };
  const available = maxBytes - jsonSizeBytes({ ...around, elements: [] });
  const { value, truncations } = chooseTextLength(
    (textLength) => truncateToBudget(elements, available, { ...place, textLength }),
    elements.slice(place.from),
    available,
  );
  return toBoundedJson({ value: { ...around, elements: value }, truncations });
}

/** Unchanged if it fits; otherwise with the longest texts for which every part fits, otherwise with the shortest. */
function chooseTextLength(
  truncate: (textLength: number) => TruncatedValue,
  original: unknown,
  maxBytes: number,
): Pick<TruncatedValue, 'value' | 'truncations'> {
  if (jsonSizeWithin(original, maxBytes) <= maxBytes) return { value: original, truncations: [] };
  for (const length of TEXT_LENGTHS) {
    const result = truncate(length);
    if (!result.isReplaced) return result;
  }
  return truncate(MIN_TEXT_LENGTH);
}

function toBoundedJson({ value, truncations }: Pick<TruncatedValue, 'value' | 'truncations'>): BoundedJson {
  return { json: JSON.stringify(value), truncations };
}

function parseCursor(next: string): { readonly pointer: string; readonly from: number } | undefined {
  const [, pointer, from] = /^(\/.*):(\d{1,9})$/s.exec(next) ?? [];
  return pointer === undefined || pointer.length > MAX_POINTER_LENGTH ? undefined : { pointer, from: Number(from) };
}
