import { below } from './json-pointer.js';

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

/** As much of the value as has room in `bytes` of JSON. `from`: of a list, the first element that may be there. */
export function fitted(value: unknown, bytes: number, pointer = '', from = 0): Fitted {
  if (from === 0 && bytesOf(value) <= bytes) return { value, cuts: [], isTorn: false };
  if (Array.isArray(value)) return fittedList(value, bytes, pointer, from);
  return isObject(value) ? fittedMembers(value, bytes, pointer) : torn(value);
}

/** At least one element: whoever asks for what comes next gets on. */
function fittedList(list: readonly unknown[], bytes: number, pointer: string, from: number): Fitted {
  let left = bytes - BRACKETS;
  const rest = list.slice(from);
  const end = rest.findIndex((element) => (left -= bytesOf(element) + COMMA) < 0);
  const whole = end < 0 ? rest : rest.slice(0, end);
  if (whole.length > 0 || rest.length === 0) return { value: whole, cuts: cutOf(pointer, from, from + whole.length, list.length), isTorn: false };
  const { value, cuts, isTorn } = fitted(rest[0], bytes - BRACKETS, below(pointer, from));
  return { value: [value], cuts: [...cuts, ...cutOf(pointer, from, from + 1, list.length)], isTorn };
}

/** Members with parts share what the others leave, the smallest first: what they do not need is left to the larger ones. */
function fittedMembers(object: Readonly<Record<string, unknown>>, bytes: number, pointer: string): Fitted {
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  const withParts = members.filter(([, member]) => typeof member === 'object' && member !== null).sort(([, a], [, b]) => bytesOf(a) - bytesOf(b));
  let left = bytes - bytesOf(Object.fromEntries(members.map(([name, member]) => [name, withParts.some(([other]) => other === name) ? 0 : member])));
  if (withParts.length === 0 || left < 0) return torn(object);
  const parts = new Map(withParts.map(([name, member], at) => {
    const part = fitted(member, Math.floor(left / (withParts.length - at)), below(pointer, name));
    left -= bytesOf(part.value);
    return [name, part];
  }));
  if (left < 0) return torn(object);
  const all = [...parts.values()];
  return { value: Object.fromEntries(members.map(([name, member]) => [name, parts.has(name) ? parts.get(name)!.value : member])), cuts: all.flatMap(({ cuts }) => cuts), isTorn: all.some(({ isTorn }) => isTorn) };
}


function torn(value: unknown): Fitted {
  return { value: { tooLarge: `${bytesOf(value)} bytes` }, cuts: [], isTorn: true };
}

function cutOf(list: string, from: number, to: number, of: number): readonly Cut[] {
  return to < of ? [{ list, from, to, of, next: `${list}:${to}` }] : [];
}

/** Of its JSON in UTF-8, as a text within other JSON: that is how it travels, to agents and models alike. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.match(/["\\]/g)?.length ?? 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
