import { compare, isScalar, valueAt, type Scalar } from './order.js';
import type { Bson } from './wire.js';

interface Entry {
  readonly values: readonly Scalar[];
  /** Key of the document in its collection. */
  readonly key: string;
}

/** Conditions of a filter on one field that an index can use. */
interface Bounds {
  readonly values?: readonly Scalar[];
  readonly from?: Scalar;
  readonly to?: Scalar;
}

/** Documents selected by an index. */
export interface Choice {
  readonly size: number;
  keys(): Set<string>;
}

/** Sorted entries of an index. Lookups may return more than the matching documents, but never less. */
export class SortedIndex {
  private readonly entries: Entry[] = [];
  /** Documents with non-scalar values in a field, which are candidates of every lookup. */
  private readonly others = new Set<string>();

  constructor(private readonly fields: readonly string[]) {}

  add(key: string, document: Bson): void {
    const values = this.fields.map((field) => valueAt(document, field));
    if (!values.every(isScalar)) this.others.add(key);
    else this.entries.splice(this.place({ values, key }), 0, { values, key });
  }

  remove(key: string, document: Bson): void {
    const values = this.fields.map((field) => valueAt(document, field)) as Scalar[];
    if (!this.others.delete(key)) this.entries.splice(this.place({ values, key }), 1);
  }

  /** Candidates of the filter; undefined if it has no condition on the first field. */
  find(filter: Bson): Choice | undefined {
    let prefixes: (readonly Scalar[])[] = [[]];
    let bounds: Bounds | undefined;
    for (const [number, field] of this.fields.entries()) {
      bounds = boundsOf(filter, field);
      if (bounds === undefined && number === 0) return undefined;
      const values = bounds?.values;
      if (values === undefined) break;
      prefixes = prefixes.flatMap((prefix) => values.map((value) => [...prefix, value]));
      bounds = undefined;
    }
    const intervals = prefixes.map((prefix) => this.interval(prefix, bounds));
    const size = intervals.reduce((sum, [from, to]) => sum + to - from, this.others.size);
    return {
      size,
      keys: () =>
        new Set([
          ...this.others,
          ...intervals.flatMap(([from, to]) => this.entries.slice(from, to).map(({ key }) => key)),
        ]),
    };
  }

  /** Index range of the entries that start with these values and whose next value is within the bounds. */
  private interval(prefix: readonly Scalar[], bounds: Bounds | undefined): readonly [from: number, to: number] {
    const from = bounds?.from === undefined ? prefix : [...prefix, bounds.from];
    const to = bounds?.to === undefined ? prefix : [...prefix, bounds.to];
    return [
      this.first((entry) => compareAll(entry.values, from) >= 0),
      this.first((entry) => compareAll(entry.values, to) > 0),
    ];
  }

  private place({ values, key }: Entry): number {
    return this.first((entry) => {
      const order = compareAll(entry.values, values);
      return order > 0 || (order === 0 && entry.key >= key);
    });
  }

  /** Index of the first entry that satisfies a monotonic predicate. */
  private first(isSo: (entry: Entry) => boolean): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isSo(this.entries[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Compares the common prefix of both. */
function compareAll(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = compare(a[n], b[n]);
    if (order !== 0) return order;
  }
  return 0;
}

/** All conditions on a field must hold, so any one of them can be used. */
function boundsOf(filter: Bson, field: string): Bounds | undefined {
  if (filter[field] !== undefined) return boundsIn(filter[field]);
  for (const each of (filter.$and as Bson[] | undefined) ?? []) {
    const bounds = boundsOf(each, field);
    if (bounds !== undefined) return bounds;
  }
  return undefined;
}

function boundsIn(condition: unknown): Bounds | undefined {
  if (typeof condition !== 'object' || condition === null) return undefined;
  const { $eq, $in, $gt, $gte = $gt, $lt, $lte = $lt } = condition as Record<string, unknown>;
  if (isPlain($eq)) return { values: [$eq] };
  if (Array.isArray($in) && $in.every(isPlain)) return { values: $in };
  const [from, to] = [isPlain($gte) ? $gte : undefined, isPlain($lte) ? $lte : undefined];
  return from === undefined && to === undefined ? undefined : { from, to };
}

/** `null` also matches missing fields and is left to the filter. */
const isPlain = (value: unknown): value is Scalar => isScalar(value) && value !== undefined && value !== null;
