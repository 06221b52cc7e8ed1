import { compare, isScalar, valueAt, type Scalar } from './order.js';
import type { Bson } from './wire.js';

interface Entry {
  readonly values: readonly Scalar[];
  /** Of the document among the rows. */
  readonly key: string;
}

/** What a filter says of one field, as far as an index can use it. */
interface Bounds {
  readonly values?: readonly Scalar[];
  readonly from?: Scalar;
  readonly to?: Scalar;
}

/** Documents that an index has chosen. */
export interface Choice {
  readonly size: number;
  keys(): Set<string>;
}

/** Entries of one index in its order. What it finds may be more than what a filter means, never less. */
export class SortedIndex {
  private readonly entries: Entry[] = [];
  /** Documents with more than a plain value in a field: they are looked at by every question. */
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

  /** What may meet the filter; undefined where it says nothing of the first field. */
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
    const stretches = prefixes.map((prefix) => this.stretch(prefix, bounds));
    const size = stretches.reduce((sum, [from, to]) => sum + to - from, this.others.size);
    return {
      size,
      keys: () =>
        new Set([
          ...this.others,
          ...stretches.flatMap(([from, to]) => this.entries.slice(from, to).map(({ key }) => key)),
        ]),
    };
  }

  /** Places of the entries that begin with these values, the next one within the bounds. */
  private stretch(prefix: readonly Scalar[], bounds: Bounds | undefined): readonly [from: number, to: number] {
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

  /** Place of the first entry that is so; all behind it are, too. */
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

/** By as many values as both have. */
function compareAll(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = compare(a[n], b[n]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Several conditions on one field hold all together, so that any of them serves. */
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

/** `null` also means fields that are not there, and is left to the filter. */
const isPlain = (value: unknown): value is Scalar => isScalar(value) && value !== undefined && value !== null;
