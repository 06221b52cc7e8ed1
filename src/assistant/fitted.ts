import { below } from './json-pointer.js';
import { bytesOf, bytesWithin } from './json-size.js';
import { shortened } from './shortened.js';

/** A list of which not all elements are there. */
export interface Cut {
  /** JSON pointer. */
  readonly list: string;
  /** Elements from ≤ i < to are there, of so many. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  /** Asked for next time, answers the elements that follow. */
  readonly next: string;
}

export interface Fitted {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
  /** Whether something was replaced by how large it is. */
  readonly isTorn: boolean;
}

const BRACKETS = 2;
const COMMA = 1;

/** Where a value stands in the data, and how long its texts may be, in UTF-16 units. */
export interface Place {
  readonly pointer: string;
  /** Of a list: the first element that may be there. */
  readonly from?: number;
  readonly textLength: number;
}

/** As much of the value as has room in `bytes` of JSON. Parts that have no room are not looked at: they may be many. */
export function fitted(value: unknown, bytes: number, place: Place): Fitted {
  if (place.from === undefined && bytesWithin(value, bytes) <= bytes) return { value, cuts: [], isTorn: false };
  if (Array.isArray(value)) return fittedList(value, bytes, place);
  return hasParts(value) ? fittedMembers(value, bytes, place) : fittedScalar(value, bytes, place);
}

/** At least one element: whoever asks for what comes next gets on. */
function fittedList(list: readonly unknown[], bytes: number, { pointer, textLength, from = 0 }: Place): Fitted {
  const kept: unknown[] = [];
  let left = bytes - BRACKETS;
  for (let at = from; at < list.length; at++) {
    const element = shortened(list[at], textLength);
    left -= bytesWithin(element, left) + COMMA;
    if (left < 0) break;
    kept.push(element);
  }
  const to = from + kept.length;
  if (kept.length > 0 || from === list.length) return { value: kept, cuts: cutOf(pointer, from, to, list.length), isTorn: false };
  const { value, cuts, isTorn } = fitted(list[from], bytes - BRACKETS, { pointer: below(pointer, from), textLength });
  return { value: [value], cuts: [...cuts, ...cutOf(pointer, from, from + 1, list.length)], isTorn };
}

/** Members with parts share what the others leave, the smallest first: what they do not need is left to the larger ones. */
function fittedMembers(object: Readonly<Record<string, unknown>>, bytes: number, { pointer, textLength }: Place): Fitted {
  const sized = Object.entries(object).filter(([, member]) => hasParts(member)).map(([name, member]) => ({ name, member, bytes: bytesWithin(member, bytes) }));
  const parts = new Map<string, Pick<Fitted, 'value'>>(Object.entries(object).map(([name, member]) => [name, { value: hasParts(member) ? 0 : shortened(member, textLength) }]));
  let left = bytes - bytesOf(withParts(object, parts));
  const fittedParts: Fitted[] = [];
  for (const [at, { name, member }] of sized.sort((a, b) => (a.bytes < b.bytes ? -1 : 1)).entries()) {
    const part = fitted(member, Math.floor(left / (sized.length - at)), { pointer: below(pointer, name), textLength });
    parts.set(name, part);
    fittedParts.push(part);
    left -= bytesOf(part.value);
  }
  if (left < 0) return torn(object);
  return { value: withParts(object, parts), cuts: fittedParts.flatMap(({ cuts }) => cuts), isTorn: fittedParts.some(({ isTorn }) => isTorn) };
}

function fittedScalar(value: unknown, bytes: number, { textLength }: Place): Fitted {
  const short = shortened(value, textLength);
  return bytesOf(short) <= bytes ? { value: short, cuts: [], isTorn: false } : torn(value);
}

/** In the order of the object. */
function withParts(object: Readonly<Record<string, unknown>>, parts: ReadonlyMap<string, Pick<Fitted, 'value'>>): object {
  return Object.fromEntries(Object.keys(object).map((name) => [name, parts.get(name)?.value]));
}

function torn(value: unknown): Fitted {
  return { value: { tooLarge: `${Buffer.byteLength(JSON.stringify(value))} bytes` }, cuts: [], isTorn: true };
}

function cutOf(list: string, from: number, to: number, of: number): readonly Cut[] {
  return to < of ? [{ list, from, to, of, next: `${list}:${to}` }] : [];
}

function hasParts(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
