import type { MetricSeriesRollup } from '../../diagnostics/rollups.js';
import type { BoundsTable } from './bounds-table.js';
import { ByteReader } from './byte-reader.js';
import { readBuckets, readExemplars, readQuantiles } from './distribution-codec.js';

/** The lists of a series that few readers look at. */
export type Distribution = Pick<MetricSeriesRollup, 'buckets' | 'quantiles' | 'exemplars'>;

/** What the distributions of a rollup share. */
export interface PackedRollup {
  readonly bytes: Buffer;
  readonly bounds: BoundsTable;
  readonly newestUs: number;
}

/** Reads the list with this number of a distribution that is packed in `bytes[start, end)`: a run of bytes each. */
function unpack<T>({ bytes }: PackedRollup, start: number, end: number, list: number, read: (reader: ByteReader) => T): T {
  const reader = new ByteReader(bytes, undefined, start, end);
  for (let i = 0; i < list; i++) reader.run();
  const part = reader.section();
  const value = read(part);
  part.end();
  return value;
}

/**
 * A series whose distribution stays the bytes it was read from, and is decoded at each access: most readers of a rollup
 * want its numbers alone. The lists are properties of its own, and so part of every copy; how they are read is shared by
 * all series, which keeps them one shape.
 */
export class PackedSeries implements MetricSeriesRollup {
  declare readonly metric: string;
  declare readonly unit: string;
  declare readonly kind: MetricSeriesRollup['kind'];
  declare readonly monotonic: boolean;
  declare readonly instance: string;
  declare readonly attributes: MetricSeriesRollup['attributes'];
  declare readonly points: number;
  declare readonly sum: number;
  declare readonly count: number;
  declare readonly min: number;
  declare readonly max: number;
  declare readonly last: number;
  declare readonly lastUs: number;
  declare readonly buckets: MetricSeriesRollup['buckets'];
  declare readonly quantiles: MetricSeriesRollup['quantiles'];
  declare readonly exemplars: MetricSeriesRollup['exemplars'];
  readonly #rollup: PackedRollup;
  readonly #start: number;
  readonly #end: number;

  static readonly #lists: { readonly [K in keyof Distribution]: { readonly enumerable: true; get(this: PackedSeries): Distribution[K] } } = {
    buckets: {
      enumerable: true,
      get() {
        return unpack(this.#rollup, this.#start, this.#end, 0, (reader) => readBuckets(reader, this.#rollup.bounds));
      },
    },
    quantiles: {
      enumerable: true,
      get() {
        return unpack(this.#rollup, this.#start, this.#end, 1, readQuantiles);
      },
    },
    exemplars: {
      enumerable: true,
      get() {
        return unpack(this.#rollup, this.#start, this.#end, 2, (reader) => readExemplars(reader, this.#rollup.newestUs));
      },
    },
  };

  /** The distribution is packed in `bytes[start, end)` of the rollup. */
  constructor(numbers: Omit<MetricSeriesRollup, keyof Distribution>, rollup: PackedRollup, start: number, end: number) {
    Object.assign(this, numbers);
    this.#rollup = rollup;
    this.#start = start;
    this.#end = end;
    Object.defineProperties(this, PackedSeries.#lists);
  }
}
