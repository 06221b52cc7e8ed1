import { METRIC_KINDS, type MetricSeriesRollup } from '../../diagnostics/rollups/rollup-types.js';
import type { ValueRange } from '../../diagnostics/rollups/observed-range.js';
import type {
  BoundsDictionaryReader,
  BoundsDictionaryWriter,
  StringDictionaryReader,
  StringDictionaryWriter,
} from './dictionary-codec.js';
import { ByteReader, ByteWriter, DamagedRollup } from './byte-codec.js';
import {
  readBuckets,
  readExemplars,
  readQuantiles,
  writeBuckets,
  writeExemplars,
  writeQuantiles,
} from './distribution-codec.js';

/** Dictionaries that the series of a rollup refer to, and the time to which theirs are relative. */
export interface RollupDictionaries {
  readonly texts: StringDictionaryWriter;
  readonly bounds: BoundsDictionaryWriter;
  readonly newestUs: number;
}

/** Set in the byte of the kind if limits follow the numbers. */
const HAS_LIMITS = 128;

type Attribute = MetricSeriesRollup['attributes'][number];
const NONE: readonly never[] = [];

/** Reused writers, for a distribution and one of its lists: written thousands of times per commit. */
const distributionWriter = new ByteWriter();

const listWriter = new ByteWriter();

/** Writes everything except the metric. */
export function writeSeries(writer: ByteWriter, series: MetricSeriesRollup, dictionaries: RollupDictionaries): void {
  const { texts, newestUs } = dictionaries;
  writer.varint(texts.indexFor(series.unit));
  writer.byte(kindByte(series) | (series.limits === undefined ? 0 : HAS_LIMITS));
  writer.varint(texts.indexFor(series.instance));
  writer.list(series.attributes, ([key, value]) => {
    writer.varint(texts.indexFor(key));
    writer.varint(texts.indexFor(value));
  });
  writer.varint(series.points);
  writer.sum(series.count);
  writeValues(writer, series);
  writer.varint(newestUs - series.lastUs);
  if (series.limits !== undefined) {
    writer.float64(series.limits.min);
    writer.float64(series.limits.max);
  }
  writeDistribution(writer, series, dictionaries);
}

/** `metric`: name of the group of series. */
export function readSeries(
  reader: ByteReader,
  metric: string,
  texts: StringDictionaryReader,
  rollup: MetricRollupBlob,
): MetricSeriesRollup {
  const unit = texts.text(reader.varint());
  const flags = reader.byte();
  const kindAndMonotonic = flags & ~HAS_LIMITS;
  const instance = texts.text(reader.varint());
  const kind = METRIC_KINDS.at(kindAndMonotonic >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a metric kind ${kindAndMonotonic >> 1}`);
  const monotonic = (kindAndMonotonic & 1) === 1;
  const attributes = reader.list((): Attribute => [texts.text(reader.varint()), texts.text(reader.varint())]);
  const points = reader.varint();
  const count = reader.varint();
  const encodings = reader.byte();
  const last = readEncodedNumber(reader, encodings & 3);
  const sum = readEncodedNumber(reader, (encodings >> 2) & 3, last);
  const min = readEncodedNumber(reader, (encodings >> 4) & 3, last);
  const max = readEncodedNumber(reader, encodings >> 6, last);
  const lastUs = rollup.newestUs - reader.varint();
  const limits = (flags & HAS_LIMITS) === 0 ? undefined : { min: reader.float64(), max: reader.float64() };
  const start = reader.skipRun();
  if (start === reader.position)
    return {
      metric,
      unit,
      kind,
      monotonic,
      instance,
      attributes,
      points,
      sum,
      count,
      min,
      max,
      ...(limits && { limits }),
      last,
      lastUs,
      buckets: NONE,
      quantiles: NONE,
      exemplars: NONE,
    };
  return new LazyMetricSeries(
    { metric, unit, kind, monotonic, instance, attributes, points, sum, count, min, max, limits, last, lastUs },
    rollup,
    start,
    reader.position,
  );
}

export function kindByte({ kind, monotonic }: Pick<MetricSeriesRollup, 'kind' | 'monotonic'>): number {
  return METRIC_KINDS.indexOf(kind) * 2 + Number(monotonic);
}

function writeValues(writer: ByteWriter, { last, sum, min, max }: MetricSeriesRollup): void {
  const encodings =
    chooseNumberEncoding(last) |
    (chooseNumberEncoding(sum, last) << 2) |
    (chooseNumberEncoding(min, last) << 4) |
    (chooseNumberEncoding(max, last) << 6);
  writer.byte(encodings);
  writeEncodedNumber(writer, encodings & 3, last);
  writeEncodedNumber(writer, (encodings >> 2) & 3, sum);
  writeEncodedNumber(writer, (encodings >> 4) & 3, min);
  writeEncodedNumber(writer, encodings >> 6, max);
}

/** In the form that LazyMetricSeries reads; only a length of 0 if all lists are empty. */
function writeDistribution(
  writer: ByteWriter,
  { buckets, quantiles, exemplars }: Distribution,
  { bounds }: RollupDictionaries,
): void {
  if (buckets.length + quantiles.length + exemplars.length === 0) return writer.varint(0);
  distributionWriter.clear();
  writeLengthPrefixedList(buckets, () => writeBuckets(listWriter, buckets, bounds));
  writeLengthPrefixedList(quantiles, () => writeQuantiles(listWriter, quantiles));
  writeLengthPrefixedList(exemplars, () => writeExemplars(listWriter, exemplars));
  writer.section(distributionWriter);
}

function writeLengthPrefixedList(items: readonly unknown[], write: () => void): void {
  if (items.length === 0) return distributionWriter.varint(0);
  listWriter.clear();
  write();
  distributionWriter.section(listWriter);
}

/** The lists of a series that few readers use. */
type Distribution = Pick<MetricSeriesRollup, 'buckets' | 'quantiles' | 'exemplars'>;

const EMPTY_LIST: readonly never[] = [];

/** What the distributions of a rollup share. */
export interface MetricRollupBlob {
  readonly bytes: Buffer;
  readonly bounds: BoundsDictionaryReader;
  readonly newestUs: number;
}

/**
 * A series whose distribution stays encoded in `bytes[start, end)` of the rollup: a run for each list, decoded on each
 * access. Most readers use only the numbers, and so many series are cached that decoded lists would fill the memory.
 * The lists are getters, not own properties: see copySeries.
 */
export class LazyMetricSeries implements MetricSeriesRollup {
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
  /** Not a property of its own where it is absent. */
  declare readonly limits?: ValueRange;
  readonly last: number;
  readonly lastUs: number;
  readonly #rollup: MetricRollupBlob;
  readonly #start: number;
  readonly #end: number;

  constructor(
    numbers: Omit<MetricSeriesRollup, keyof Distribution | 'limits'> & { readonly limits: ValueRange | undefined },
    rollup: MetricRollupBlob,
    start: number,
    end: number,
  ) {
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
    if (numbers.limits !== undefined) this.limits = numbers.limits;
    this.last = numbers.last;
    this.lastUs = numbers.lastUs;
    this.#rollup = rollup;
    this.#start = start;
    this.#end = end;
  }

  get buckets(): MetricSeriesRollup['buckets'] {
    const list = this.#list(0);
    return list === undefined ? EMPTY_LIST : assertFullyRead(list, readBuckets(list, this.#rollup.bounds));
  }

  get quantiles(): MetricSeriesRollup['quantiles'] {
    const list = this.#list(1);
    return list === undefined ? EMPTY_LIST : assertFullyRead(list, readQuantiles(list));
  }

  get exemplars(): MetricSeriesRollup['exemplars'] {
    const list = this.#list(2);
    return list === undefined ? EMPTY_LIST : assertFullyRead(list, readExemplars(list));
  }

  /** Undefined for an empty list. */
  #list(number: number): ByteReader | undefined {
    const reader = new ByteReader(this.#rollup.bytes, undefined, this.#start, this.#end);
    for (let i = 0; i < number; i++) reader.skipRun();
    const start = reader.skipRun();
    return start === reader.position
      ? undefined
      : new ByteReader(this.#rollup.bytes, undefined, start, reader.position);
  }
}

function assertFullyRead<T>(list: ByteReader, items: T): T {
  list.expectEnd();
  return items;
}

/*
 * Numbers of series: most are integers, equal to another number or not reported. Two bits select the encoding of each.
 */

const FLOAT = 0;
const WHOLE = 1;

/** Equal to the reference value. */
const SAME = 2;

const NOT_A_NUMBER = 3;

/** Below this, an integer takes fewer bytes than a double. */
const LARGEST_WHOLE = 2 ** 48;

/** Each number has exactly one encoding. */
function chooseNumberEncoding(value: number, same = NaN): number {
  if (Number.isNaN(value)) return NOT_A_NUMBER;
  if (value === same) return SAME;
  return Number.isInteger(value) && Math.abs(value) < LARGEST_WHOLE ? WHOLE : FLOAT;
}

function writeEncodedNumber(writer: ByteWriter, encoding: number, value: number): void {
  if (encoding === FLOAT) writer.float64(value);
  else if (encoding === WHOLE) writer.signed(value);
}

function readEncodedNumber(reader: ByteReader, encoding: number, same = NaN): number {
  if (encoding === FLOAT) return reader.float64();
  if (encoding === WHOLE) return reader.signed();
  return encoding === SAME ? same : NaN;
}
