import {
  POINT_EXPONENTIAL_HISTOGRAM, POINT_GAUGE, POINT_HISTOGRAM, POINT_SUM, POINT_SUMMARY, reservePoint, TEMPORALITY_CUMULATIVE, type MetricColumns,
} from '../metric-columns.js';
import { microsOf } from '../time.js';
import { ExplicitBucketReader } from './explicit-buckets.js';
import { ExponentialBucketReader } from './exponential-buckets.js';
import { EXPONENTIAL_POINT, HISTOGRAM_POINT, METRIC, METRIC_DATA, NO_RECORDED_VALUE, NUMBER_POINT, POINT, QUANTILE, SUMMARY_POINT } from './fields.js';
import { signedFixed64, unsignedFixed64 } from './numbers.js';
import { PointAttributes } from './point-attributes.js';
import { ExemplarReader } from './point-exemplars.js';
import { Quantiles } from './point-quantiles.js';
import { RequestDecoder } from './request-decoder.js';
import type { WireReader } from './wire-reader.js';

/** Where the kinds of data points differ: the tags of what is read. Tag 0 does not exist. */
interface PointLayout {
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
  /** Reads the fields of its buckets. */
  readonly buckets: ExplicitBucketReader | ExponentialBucketReader | undefined;
}

const NOTHING = { double: 0, int: 0, count: 0, sum: 0, min: 0, max: 0, quantile: 0, exemplar: 0, buckets: undefined };
const GAUGE: PointLayout = { ...NOTHING, ...NUMBER_POINT, kind: POINT_GAUGE };
const SUM: PointLayout = { ...NOTHING, ...NUMBER_POINT, kind: POINT_SUM };
const HISTOGRAM: PointLayout = { ...NOTHING, ...HISTOGRAM_POINT, kind: POINT_HISTOGRAM, buckets: new ExplicitBucketReader() };
const EXPONENTIAL: PointLayout = { ...NOTHING, ...EXPONENTIAL_POINT, kind: POINT_EXPONENTIAL_HISTOGRAM, buckets: new ExponentialBucketReader() };
const SUMMARY: PointLayout = { ...NOTHING, ...SUMMARY_POINT, kind: POINT_SUMMARY };

/**
 * Appends the accepted data points of an inflated, validated request. `rejected`: ordinals to pass by, ascending; they
 * count the points of all kinds in the order of the body. Points flagged as having no value are no rows.
 * Throws MalformedBody where the body does not parse; `into` keeps the rows that it had.
 */
export function decodeMetrics(body: Uint8Array, revision: number, rejected: readonly number[], into: MetricColumns): void {
  decoder.decodeInto(into, revision);
  try {
    decoder.decode(body, rejected, into);
  } finally {
    cutLists(into);
  }
}

/** Takes off the lists what belongs to no row: where a body did not parse, rows were given up. */
function cutLists({ buckets, count, exemplars, quantiles }: MetricColumns): void {
  for (const list of [buckets, quantiles, exemplars]) if (list.length > count) list.length = count;
}

class MetricDecoder extends RequestDecoder {
  private points!: MetricColumns;
  private revision = 0;
  private layout = GAUGE;
  private readonly pointAttributes = new PointAttributes();
  private readonly quantiles = new Quantiles();
  private readonly exemplars = new ExemplarReader();
  private name = 0;
  private unit = 0;
  private flags = 0;
  /** The fields of the attributes, from the first to the last of them, and whether other fields stand between. */
  private attributesFrom = 0;
  private attributesTo = 0;
  private isScattered = false;

  decodeInto(points: MetricColumns, revision: number): void {
    this.points = points;
    this.revision = revision;
    this.pointAttributes.beginRequest(points.strings, points.keys);
  }

  /** A record of a metrics request is a metric; what else it says may stand behind its data points. */
  protected override record(end: number): void {
    const { points, reader } = this;
    const first = points.count;
    this.name = this.unit = this.emptyString;
    while (reader.pos < end) this.metricField(reader, end);
    for (let row = first; row < points.count; row++) {
      points.metric[row] = this.name;
      points.unit[row] = this.unit;
    }
  }

  private metricField(reader: WireReader, end: number): void {
    const tag = reader.tag(end);
    switch (tag) {
      case METRIC.name:
        this.name = this.textId(reader, end);
        break;
      case METRIC.unit:
        this.unit = this.textId(reader, end);
        break;
      case METRIC.gauge:
        return this.data(GAUGE, reader.end(end));
      case METRIC.sum:
        return this.data(SUM, reader.end(end));
      case METRIC.histogram:
        return this.data(HISTOGRAM, reader.end(end));
      case METRIC.exponentialHistogram:
        return this.data(EXPONENTIAL, reader.end(end));
      case METRIC.summary:
        return this.data(SUMMARY, reader.end(end));
      default:
        reader.skip(tag, end);
    }
  }

  private textId(reader: WireReader, limit: number): number {
    const end = reader.end(limit);
    const id = this.points.strings.id(reader.bytes, reader.pos, end);
    reader.pos = end;
    return id;
  }

  /** Data points of one kind, then what holds for all of them. */
  private data(layout: PointLayout, end: number): void {
    const { points, reader } = this;
    const first = points.count;
    let temporality = 0;
    let monotonic = 0;
    this.layout = layout;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === METRIC_DATA.point) super.record(reader.end(end));
      else if (tag === METRIC_DATA.temporality) temporality = reader.varint(end);
      else if (tag === METRIC_DATA.monotonic) monotonic = reader.varint(end);
      else reader.skip(tag, end);
    }
    const { kind } = layout;
    for (let row = first; row < points.count; row++) {
      points.kind[row] = kind;
      points.temporality[row] = kind === POINT_GAUGE || kind === POINT_SUMMARY || temporality > TEMPORALITY_CUMULATIVE ? 0 : temporality;
      points.monotonic[row] = kind === POINT_SUM && monotonic !== 0 ? 1 : 0;
    }
  }

  protected override row(end: number): void {
    const { layout, points, reader } = this;
    reservePoint(points);
    const row = points.count;
    const from = reader.pos;
    this.begin(row, from, end);
    while (reader.pos < end) this.pointField(reader, end, row);
    if (this.flags % 2 === NO_RECORDED_VALUE) return;
    if (layout.double !== 0) points.min[row] = points.max[row] = points.value[row];
    points.attributes[row] = this.isScattered
      ? this.pointAttributes.scattered(reader, layout.attribute, from, end)
      : this.pointAttributes.id(reader, layout.attribute, this.attributesFrom, this.attributesTo);
    this.lists(row);
    points.count = row + 1;
  }

  private lists(row: number): void {
    const { layout, points } = this;
    put(points.buckets, row, layout.buckets?.buckets());
    put(points.quantiles, row, this.quantiles.all());
    put(points.exemplars, row, this.exemplars.exemplars(this.reader));
  }

  private begin(row: number, from: number, end: number): void {
    const { layout, points } = this;
    points.timeUs[row] = points.startUs[row] = 0;
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
    layout.buckets?.begin();
    this.quantiles.begin();
    this.exemplars.begin();
  }

  private pointField(reader: WireReader, end: number, row: number): void {
    const { layout, points } = this;
    const { pos } = reader;
    const tag = reader.tag(end);
    if (tag === layout.attribute) this.attribute(reader, pos, reader.end(end));
    else if (tag === POINT.time) points.timeUs[row] = microsAt(reader, end);
    else if (tag === POINT.start) points.startUs[row] = microsAt(reader, end);
    else if (tag === layout.double || tag === layout.sum) points.value[row] = reader.double(end);
    else if (tag === layout.int) points.value[row] = signedFixed64(reader, end);
    else if (tag === layout.count) points.observations[row] = unsignedFixed64(reader, end);
    else if (tag === layout.min) points.min[row] = reader.double(end);
    else if (tag === layout.max) points.max[row] = reader.double(end);
    else if (tag === layout.flags) this.flags = reader.varint(end);
    else if (tag === layout.quantile) this.quantile(reader, reader.end(end), row);
    else if (tag === layout.exemplar) this.exemplars.read(reader, reader.end(end));
    else if (layout.buckets?.field(reader, tag, end) !== true) reader.skip(tag, end);
  }

  private attribute(reader: WireReader, from: number, to: number): void {
    if (this.attributesFrom === this.attributesTo) this.attributesFrom = from;
    else if (from !== this.attributesTo) this.isScattered = true;
    this.attributesTo = to;
    reader.pos = to;
  }

  /** By the definition of OTLP, quantile 0 is the smallest observation and quantile 1 the largest. */
  private quantile(reader: WireReader, end: number, row: number): void {
    let quantile = 0;
    let value = 0;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === QUANTILE.quantile) quantile = reader.double(end);
      else if (tag === QUANTILE.value) value = reader.double(end);
      else reader.skip(tag, end);
    }
    if (quantile === 0) this.points.min[row] = value;
    else if (quantile === 1) this.points.max[row] = value;
    this.quantiles.add(quantile, value);
  }
}

/** Rows without a value before one that has one are filled up: a list with holes is slow. */
function put<T>(list: (T | undefined)[], row: number, value: T | undefined): void {
  if (value === undefined) return;
  while (list.length < row) list.push(undefined);
  list[row] = value;
}

function microsAt(reader: WireReader, end: number): number {
  reader.fixed64(end);
  return microsOf(reader.hi, reader.lo);
}

const decoder = new MetricDecoder();
