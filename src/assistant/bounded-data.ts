import { fitted, type Cut, type Fitted } from './fitted.js';
import { listAt } from './json-pointer.js';
import { bytesOf, bytesWithin } from './json-size.js';

/** Data as one line of JSON that has at most so many bytes as a text within other JSON, and what was left out of it. */
export interface BoundedData {
  readonly json: string;
  /** Lists that were cut, each with where to go on. */
  readonly cuts: readonly Cut[];
}

/** Longest texts where not all of the data fits, in UTF-16 units: the first length with which there is room for every part. */
const TEXT_LENGTHS = [1_000, 200];
const SHORTEST = 50;
/** Where a list goes on is told with its name. */
const MOST_NAME = 200;

/**
 * Cuts long texts, and then lists, until the data fit. Of a list its first elements stay; lists beside each other share the
 * room, small ones stay whole. What has no parts to choose from is replaced by how large it is.
 * @param next of an earlier cut: nothing but the elements of that list from there on. Undefined answers: there is no such list.
 */
export function boundedData(data: object, mostBytes: number, next?: string): BoundedData | undefined {
  if (next === undefined) return written(largestTexts((textLength) => fitted(data, mostBytes, { pointer: '', textLength }), data, mostBytes));
  const place = placeOf(next);
  const elements = place && listAt(data, place.pointer);
  if (place === undefined || elements === undefined || place.from > elements.length) return undefined;
  const around = { list: place.pointer, from: place.from };
  const room = mostBytes - bytesOf({ ...around, elements: [] });
  const { value, cuts } = largestTexts((textLength) => fitted(elements, room, { ...place, textLength }), elements.slice(place.from), room);
  return written({ value: { ...around, elements: value }, cuts });
}

/** As it is where it fits; else with the longest texts that leave room for every part, or else with the shortest. */
function largestTexts(attempt: (textLength: number) => Fitted, whole: unknown, mostBytes: number): Pick<Fitted, 'value' | 'cuts'> {
  if (bytesWithin(whole, mostBytes) <= mostBytes) return { value: whole, cuts: [] };
  for (const length of TEXT_LENGTHS) {
    const result = attempt(length);
    if (!result.isTorn) return result;
  }
  return attempt(SHORTEST);
}

function written({ value, cuts }: Pick<Fitted, 'value' | 'cuts'>): BoundedData {
  return { json: JSON.stringify(value), cuts };
}

function placeOf(next: string): { readonly pointer: string; readonly from: number } | undefined {
  const [, pointer, from] = /^(\/.*):(\d{1,9})$/s.exec(next) ?? [];
  return pointer === undefined || pointer.length > MOST_NAME ? undefined : { pointer, from: Number(from) };
}
