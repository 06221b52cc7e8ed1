import {
  POINT_EXPONENTIAL_HISTOGRAM,
  POINT_GAUGE,
  POINT_HISTOGRAM,
  POINT_SUM,
  POINT_SUMMARY,
  reserveDataPointRow,
  TEMPORALITY_CUMULATIVE,
  type MetricColumns,
} from '../../columns/metric-batch-columns.js';
import { subMicrosecondNanos, toUnixMicros } from '../../unix-time.js';
import { ExplicitBucketReader, ExponentialBucketReader, QuantileCollector } from './distribution-readers.js';
import {
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  METRIC,
  METRIC_DATA,
  NO_RECORDED_VALUE,
  NUMBER_POINT,
  POINT,
  QUANTILE,
  SUMMARY_POINT,
} from '../wire/otlp-field-tags.js';
import { readSignedFixed64, readUnsignedFixed64 } from '../wire/wire-values.js';
import { DataPointAttributeInterner } from './data-point-attributes.js';
import { ExemplarReader } from './exemplar-reader.js';
import { RequestDecoder } from './request-decoder.js';
import type { WireReader } from '../wire/wire-reader.js';

/** Differences between the kinds of data points: tags of the fields to read. Tag 0 does not exist. */
interface PointDecodingLayout {
  readonly kind: number;
  readonly attribute: number;
  readonly flags: number;
  readonly double: number;
  readonly int: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly quantile: number;
  readonly exemplar: number;
  /** Reads the bucket fields of this kind. */
  readonly buckets: ExplicitBucketReader | ExponentialBucketReader | undefined;
}

const NO_FIELDS = { double: 0, int: 0, count: 0, sum: 0, min: 0, max: 0, quantile: 0, exemplar: 0, buckets: undefined };
const GAUGE: PointDecodingLayout = { ...NO_FIELDS, ...NUMBER_POINT, kind: POINT_GAUGE };
const SUM: PointDecodingLayout = { ...NO_FIELDS, ...NUMBER_POINT, kind: POINT_SUM };
const HISTOGRAM: PointDecodingLayout = {
  ...NO_FIELDS,
  ...HISTOGRAM_POINT,
  kind: POINT_HISTOGRAM,
  buckets: new ExplicitBucketReader(),
};
const EXPONENTIAL: PointDecodingLayout = {
  ...NO_FIELDS,
  ...EXPONENTIAL_POINT,
  kind: POINT_EXPONENTIAL_HISTOGRAM,
  buckets: new ExponentialBucketReader(),
};
const SUMMARY: PointDecodingLayout = { ...NO_FIELDS, ...SUMMARY_POINT, kind: POINT_SUMMARY };

/**
 * Appends the accepted data points of a decompressed, validated request to `into`. `rejected`: ordinals of points to
 * skip, ascending; they count the points of all kinds in the order of the body. Points flagged as having no value
 * produce no row; returns their number. Throws MalformedBody if the body does not parse; `into` then keeps its previous
 * rows.
 */
export function decodeMetrics(
  body: Uint8Array,
  revision: number,
  rejected: readonly number[],
  into: MetricColumns,
): number {
  decoder.setTarget(into, revision);
  try {
    decoder.decode(body, rejected, into);
  } finally {
    truncateLists(into);
  }
  return decoder.withoutValue;
}

/** Removes list entries beyond `count`, left by rows that were rolled back. */
function truncateLists({ buckets, count, exemplars, quantiles }: MetricColumns): void {
  for (const list of [buckets, quantiles, exemplars]) if (list.length > count) list.length = count;
}

class MetricDecoder extends RequestDecoder {
  private points!: MetricColumns;
  private revision = 0;
  private layout = GAUGE;
  /** Points of the current request without a value. */
  withoutValue = 0;
  private readonly pointAttributes = new DataPointAttributeInterner();
  private readonly quantiles = new QuantileCollector();
  private readonly exemplars = new ExemplarReader();
  private name = 0;
  private unit = 0;
  private flags = 0;
  /** Range of the attribute fields, from the first to the last, and whether other fields lie between them. */
  private attributesFrom = 0;
  private attributesTo = 0;
  private isScattered = false;

  setTarget(points: MetricColumns, revision: number): void {
    this.points = points;
    this.revision = revision;
    this.withoutValue = 0;
    this.pointAttributes.beginRequest(points.strings, points.keys);
  }

  /** A record of a metrics request is a metric; its name and unit may follow its data points. */
  protected override visitRecord(end: number): void {
    const { points, reader } = this;
    const first = points.count;
    this.name = this.unit = this.emptyString;
    while (reader.pos < end) this.readMetricField(reader, end);
    for (let row = first; row < points.count; row++) {
      points.metric[row] = this.name;
      points.unit[row] = this.unit;
    }
  }

  private readMetricField(reader: WireReader, end: number): void {
    const tag = reader.readTag(end);
    switch (tag) {
      case METRIC.name:
        this.name = this.readTextId(reader, end);
        break;
      case METRIC.unit:
        this.unit = this.readTextId(reader, end);
        break;
      case METRIC.gauge:
        return this.readDataPoints(GAUGE, reader.readPayloadEnd(end));
      case METRIC.sum:
        return this.readDataPoints(SUM, reader.readPayloadEnd(end));
      case METRIC.histogram:
        return this.readDataPoints(HISTOGRAM, reader.readPayloadEnd(end));
      case METRIC.exponentialHistogram:
        return this.readDataPoints(EXPONENTIAL, reader.readPayloadEnd(end));
      case METRIC.summary:
        return this.readDataPoints(SUMMARY, reader.readPayloadEnd(end));
      default:
        reader.skip(tag, end);
    }
  }

  private readTextId(reader: WireReader, limit: number): number {
    const end = reader.readPayloadEnd(limit);
    const id = this.points.strings.intern(reader.bytes, reader.pos, end);
    reader.pos = end;
    return id;
  }

  /** Reads data points of one kind, then sets the properties that apply to all of them. */
  private readDataPoints(layout: PointDecodingLayout, end: number): void {
    const { points, reader } = this;
    const first = points.count;
    let temporality = 0;
    let monotonic = 0;
    this.layout = layout;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === METRIC_DATA.point) super.visitRecord(reader.readPayloadEnd(end));
      else if (tag === METRIC_DATA.temporality) temporality = reader.readVarint(end);
      else if (tag === METRIC_DATA.monotonic) monotonic = reader.readVarint(end);
      else reader.skip(tag, end);
    }
    const { kind } = layout;
    for (let row = first; row < points.count; row++) {
      points.kind[row] = kind;
      points.temporality[row] =
        kind === POINT_GAUGE || kind === POINT_SUMMARY || temporality > TEMPORALITY_CUMULATIVE ? 0 : temporality;
      points.monotonic[row] = kind === POINT_SUM && monotonic !== 0 ? 1 : 0;
    }
  }

  protected override appendRow(end: number): void {
    const { layout, points, reader } = this;
    reserveDataPointRow(points);
    const row = points.count;
    const from = reader.pos;
    this.beginRow(row, from, end);
    while (reader.pos < end) this.readPointField(reader, end, row);
    if (this.flags % 2 === NO_RECORDED_VALUE) {
      this.withoutValue++;
      return;
    }
    if (layout.double !== 0) points.min[row] = points.max[row] = points.value[row];
    points.attributes[row] = this.isScattered
      ? this.pointAttributes.internScattered(reader, layout.attribute, from, end)
      : this.pointAttributes.intern(reader, layout.attribute, this.attributesFrom, this.attributesTo);
    this.storeLists(row);
    points.count = row + 1;
  }

  private storeLists(row: number): void {
    const { layout, points } = this;
    setAt(points.buckets, row, layout.buckets?.toBuckets());
    setAt(points.quantiles, row, this.quantiles.toList());
    setAt(points.exemplars, row, this.exemplars.toExemplars(this.reader));
  }

  private beginRow(row: number, from: number, end: number): void {
    const { layout, points } = this;
    points.timeUs[row] = points.timeNs[row] = points.startUs[row] = 0;
    points.value[row] = layout.kind === POINT_SUMMARY ? 0 : NaN;
    points.observations[row] = layout.count === 0 ? 1 : 0;
    points.min[row] = points.max[row] = NaN;
    points.resource[row] = this.resourceIndex;
    points.revision[row] = this.revision;
    points.offset[row] = from;
    points.length[row] = end - from;
    this.flags = 0;
    this.attributesFrom = this.attributesTo = from;
    this.isScattered = false;
    layout.buckets?.reset();
    this.quantiles.reset();
    this.exemplars.reset();
  }

  private readPointField(reader: WireReader, end: number, row: number): void {
    const { layout, points } = this;
    const { pos } = reader;
    const tag = reader.readTag(end);
    if (tag === layout.attribute) this.extendAttributeRange(reader, pos, reader.readPayloadEnd(end));
    else if (tag === POINT.time) this.readTime(reader, end, row);
    else if (tag === POINT.start) points.startUs[row] = readUnixMicros(reader, end);
    else if (tag === layout.double || tag === layout.sum) points.value[row] = reader.readDouble(end);
    else if (tag === layout.int) points.value[row] = readSignedFixed64(reader, end);
    else if (tag === layout.count) points.observations[row] = readUnsignedFixed64(reader, end);
    else if (tag === layout.min) points.min[row] = reader.readDouble(end);
    else if (tag === layout.max) points.max[row] = reader.readDouble(end);
    else if (tag === layout.flags) this.flags = reader.readVarint(end);
    else if (tag === layout.quantile) this.readQuantile(reader, reader.readPayloadEnd(end), row);
    else if (tag === layout.exemplar) this.exemplars.read(reader, reader.readPayloadEnd(end));
    else if (layout.buckets?.readField(reader, tag, end) !== true) reader.skip(tag, end);
  }

  private readTime(reader: WireReader, end: number, row: number): void {
    const { points } = this;
    reader.readFixed64(end);
    points.timeUs[row] = toUnixMicros(reader.hi, reader.lo);
    points.timeNs[row] = subMicrosecondNanos(reader.hi, reader.lo);
  }

  private extendAttributeRange(reader: WireReader, from: number, to: number): void {
    if (this.attributesFrom === this.attributesTo) this.attributesFrom = from;
    else if (from !== this.attributesTo) this.isScattered = true;
    this.attributesTo = to;
    reader.pos = to;
  }

  /** By the definition of OTLP, quantile 0 is the smallest observation and quantile 1 the largest. */
  private readQuantile(reader: WireReader, end: number, row: number): void {
    let quantile = 0;
    let value = 0;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === QUANTILE.quantile) quantile = reader.readDouble(end);
      else if (tag === QUANTILE.value) value = reader.readDouble(end);
      else reader.skip(tag, end);
    }
    if (quantile === 0) this.points.min[row] = value;
    else if (quantile === 1) this.points.max[row] = value;
    this.quantiles.add(quantile, value);
  }
}

/** Fills rows without a value before this one: sparse arrays are slow. */
function setAt<T>(list: (T | undefined)[], row: number, value: T | undefined): void {
  if (value === undefined) return;
  while (list.length < row) list.push(undefined);
  list[row] = value;
}

function readUnixMicros(reader: WireReader, end: number): number {
  reader.readFixed64(end);
  return toUnixMicros(reader.hi, reader.lo);
}

const decoder = new MetricDecoder();
