import type { MetricSeriesRollup } from '../../diagnostics/rollups.js';
import type { BoundsTable } from './bounds-table.js';
import { ByteReader } from './byte-reader.js';
import { readBuckets, readExemplars, readQuantiles } from './distribution-codec.js';

/** The lists of a series that few readers look at. */
export type Distribution = Pick<MetricSeriesRollup, 'buckets' | 'quantiles' | 'exemplars'>;

const NONE: readonly never[] = [];

/** What the distributions of a rollup share. */
export interface PackedRollup {
  readonly bytes: Buffer;
  readonly bounds: BoundsTable;
  readonly newestUs: number;
}

/**
 * A series whose distribution stays the bytes it was read from, `bytes[start, end)` of the rollup: a run for each list,
 * decoded at each access. Most readers want the numbers alone, and so many series are kept that lists would fill the
 * memory. The lists are no properties of its own: see copyOf.
 */
export class PackedSeries implements MetricSeriesRollup {
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricSeriesRollup['kind'];
  readonly monotonic: boolean;
  readonly instance: string;
  readonly attributes: MetricSeriesRollup['attributes'];
  readonly points: number;
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
  readonly lastUs: number;
  readonly #rollup: PackedRollup;
  readonly #start: number;
  readonly #end: number;

  constructor(numbers: Omit<MetricSeriesRollup, keyof Distribution>, rollup: PackedRollup, start: number, end: number) {
    this.metric = numbers.metric;
    this.unit = numbers.unit;
    this.kind = numbers.kind;
    this.monotonic = numbers.monotonic;
    this.instance = numbers.instance;
    this.attributes = numbers.attributes;
    this.points = numbers.points;
    this.sum = numbers.sum;
    this.count = numbers.count;
    this.min = numbers.min;
    this.max = numbers.max;
    this.last = numbers.last;
    this.lastUs = numbers.lastUs;
    this.#rollup = rollup;
    this.#start = start;
    this.#end = end;
  }

  get buckets(): MetricSeriesRollup['buckets'] {
    const list = this.#list(0);
    return list === undefined ? NONE : whole(list, readBuckets(list, this.#rollup.bounds));
  }

  get quantiles(): MetricSeriesRollup['quantiles'] {
    const list = this.#list(1);
    return list === undefined ? NONE : whole(list, readQuantiles(list));
  }

  get exemplars(): MetricSeriesRollup['exemplars'] {
    const list = this.#list(2);
    return list === undefined ? NONE : whole(list, readExemplars(list));
  }

  /** Undefined for an empty one. */
  #list(number: number): ByteReader | undefined {
    const reader = new ByteReader(this.#rollup.bytes, undefined, this.#start, this.#end);
    for (let i = 0; i < number; i++) reader.run();
    const start = reader.run();
    return start === reader.position ? undefined : new ByteReader(this.#rollup.bytes, undefined, start, reader.position);
  }
}

function whole<T>(list: ByteReader, items: T): T {
  list.end();
  return items;
}
