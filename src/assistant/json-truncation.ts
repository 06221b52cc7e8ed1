import { jsonSizeBytes, jsonSizeWithin } from './json-size.js';

/** A list of which not all elements are there. */
export interface ListTruncation {
  /** JSON pointer. */
  readonly list: string;
  /** Elements from ≤ i < to are there, of so many. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  /** Asked for next time, answers the elements that follow. */
  readonly next: string;
}

export interface TruncatedValue {
  readonly value: unknown;
  readonly cuts: readonly ListTruncation[];
  /** Whether something was replaced by how large it is. */
  readonly isTorn: boolean;
}

const BRACKETS = 2;
const COMMA = 1;

/** Where a value stands in the data, and how long its texts may be, in UTF-16 units. */
export interface TruncationTarget {
  readonly pointer: string;
  /** Of a list: the first element that may be there. */
  readonly from?: number;
  readonly textLength: number;
}

/** As much of the value as has room in `bytes` of JSON. Parts that have no room are not looked at: they may be many. */
export function truncateToBudget(value: unknown, bytes: number, place: TruncationTarget): TruncatedValue {
  if (place.from === undefined && jsonSizeWithin(value, bytes) <= bytes) return { value, cuts: [], isTorn: false };
  if (Array.isArray(value)) return truncateList(value, bytes, place);
  return isContainer(value) ? truncateObject(value, bytes, place) : truncateScalar(value, bytes, place);
}

/** At least one element: whoever asks for what comes next gets on. */
function truncateList(
  list: readonly unknown[],
  bytes: number,
  { pointer, textLength, from = 0 }: TruncationTarget,
): TruncatedValue {
  const kept: unknown[] = [];
  let left = bytes - BRACKETS;
  for (let at = from; at < list.length; at++) {
    const element = truncateTexts(list[at], textLength);
    left -= jsonSizeWithin(element, left) + COMMA;
    if (left < 0) break;
    kept.push(element);
  }
  const to = from + kept.length;
  if (kept.length > 0 || from === list.length)
    return { value: kept, cuts: toListTruncations(pointer, from, to, list.length), isTorn: false };
  const { value, cuts, isTorn } = truncateToBudget(list[from], bytes - BRACKETS, {
    pointer: appendPointer(pointer, from),
    textLength,
  });
  return { value: [value], cuts: [...cuts, ...toListTruncations(pointer, from, from + 1, list.length)], isTorn };
}

/** Members with parts share what the others leave, the smallest first: what they do not need is left to the larger ones. */
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
  let left = bytes - jsonSizeBytes(replaceMembers(object, parts));
  const fittedParts: TruncatedValue[] = [];
  for (const [at, { name, member }] of sized.sort((a, b) => (a.bytes < b.bytes ? -1 : 1)).entries()) {
    const part = truncateToBudget(member, Math.floor(left / (sized.length - at)), {
      pointer: appendPointer(pointer, name),
      textLength,
    });
    parts.set(name, part);
    fittedParts.push(part);
    left -= jsonSizeBytes(part.value);
  }
  if (left < 0) return replaceBySize(object);
  return {
    value: replaceMembers(object, parts),
    cuts: fittedParts.flatMap(({ cuts }) => cuts),
    isTorn: fittedParts.some(({ isTorn }) => isTorn),
  };
}

function truncateScalar(value: unknown, bytes: number, { textLength }: TruncationTarget): TruncatedValue {
  const short = truncateTexts(value, textLength);
  return jsonSizeBytes(short) <= bytes ? { value: short, cuts: [], isTorn: false } : replaceBySize(value);
}

/** In the order of the object. */
function replaceMembers(
  object: Readonly<Record<string, unknown>>,
  parts: ReadonlyMap<string, Pick<TruncatedValue, 'value'>>,
): object {
  return Object.fromEntries(Object.keys(object).map((name) => [name, parts.get(name)?.value]));
}

function replaceBySize(value: unknown): TruncatedValue {
  return { value: { tooLarge: `${Buffer.byteLength(JSON.stringify(value))} bytes` }, cuts: [], isTorn: true };
}

function toListTruncations(list: string, from: number, to: number, of: number): readonly ListTruncation[] {
  return to < of ? [{ list, from, to, of, next: `${list}:${to}` }] : [];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A copy in which no text is longer than so many UTF-16 units, and each that was says how long. Members keep their order. */
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

/** The beginning of a text; a character of two units that would be cut in two is left out. */
export function truncateText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** RFC 6901: the pointer of a member or an element of what `pointer` points to. */
function appendPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Undefined: there is no list at this pointer. */
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

/** Data as one line of JSON that has at most so many bytes as a text within other JSON, and what was left out of it. */
export interface BoundedJson {
  readonly json: string;
  /** Lists that were cut, each with where to go on. */
  readonly cuts: readonly ListTruncation[];
}

/** Longest texts where not all of the data fits, in UTF-16 units: the first length with which there is room for every part. */
const TEXT_LENGTHS = [1_000, 200];

const MIN_TEXT_LENGTH = 50;

/** Where a list goes on is told with its name. */
const MAX_POINTER_LENGTH = 200;

/**
 * Cuts long texts, and then lists, until the data fit. Of a list its first elements stay; lists beside each other share the
 * room, small ones stay whole. What has no parts to choose from is replaced by how large it is.
 * @param next of an earlier cut: nothing but the elements of that list from there on. Undefined answers: there is no such list.
 */
export function serializeWithinBudget(data: object, mostBytes: number, next?: string): BoundedJson | undefined {
  if (next === undefined)
    return toBoundedJson(
      chooseTextLength((textLength) => truncateToBudget(data, mostBytes, { pointer: '', textLength }), data, mostBytes),
    );
  const place = parseCursor(next);
  const elements = place && findList(data, place.pointer);
  if (place === undefined || elements === undefined || place.from > elements.length) return undefined;
  const around = { list: place.pointer, from: place.from };
  const room = mostBytes - jsonSizeBytes({ ...around, elements: [] });
  const { value, cuts } = chooseTextLength(
    (textLength) => truncateToBudget(elements, room, { ...place, textLength }),
    elements.slice(place.from),
    room,
  );
  return toBoundedJson({ value: { ...around, elements: value }, cuts });
}

/** As it is where it fits; else with the longest texts that leave room for every part, or else with the shortest. */
function chooseTextLength(
  attempt: (textLength: number) => TruncatedValue,
  whole: unknown,
  mostBytes: number,
): Pick<TruncatedValue, 'value' | 'cuts'> {
  if (jsonSizeWithin(whole, mostBytes) <= mostBytes) return { value: whole, cuts: [] };
  for (const length of TEXT_LENGTHS) {
    const result = attempt(length);
    if (!result.isTorn) return result;
  }
  return attempt(MIN_TEXT_LENGTH);
}

function toBoundedJson({ value, cuts }: Pick<TruncatedValue, 'value' | 'cuts'>): BoundedJson {
  return { json: JSON.stringify(value), cuts };
}

function parseCursor(next: string): { readonly pointer: string; readonly from: number } | undefined {
  const [, pointer, from] = /^(\/.*):(\d{1,9})$/s.exec(next) ?? [];
  return pointer === undefined || pointer.length > MAX_POINTER_LENGTH ? undefined : { pointer, from: Number(from) };
}
