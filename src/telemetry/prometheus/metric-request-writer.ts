import {
  ANY_VALUE,
  BUCKETS,
  EXEMPLAR,
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  KEY_VALUE,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE_ITEMS,
} from '../otlp/wire/otlp-field-tags.js';
import { TEMPORALITY_CUMULATIVE } from '../columns/metric-batch-columns.js';
import { WireWriter } from '../otlp/wire/wire-writer.js';
import type { DenseBuckets, HistogramForm } from './native-histogram-buckets.js';
import type { Label, PrometheusExemplar } from './remote-write.js';

/** A metric of OTLP, whose points follow one another. Compared by identity. */
export interface MetricHead {
  readonly name: string;
  readonly help: string;
  /** In UCUM. */
  readonly unit: string;
  readonly resource: readonly Label[];
  /** Of each point. */
  readonly attributes: readonly Label[];
}

export interface PointTimes {
  /** ms since 1970. */
  readonly timestampMs: bigint;
  /** Not positive: unknown. */
  readonly startMs: bigint;
}

export interface HistogramValues {
  readonly count: number;
  readonly sum: number;
  readonly zeroCount: number;
  readonly zeroThreshold: number;
}

type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram';

const NS_PER_MS = 1_000_000n;
const MASK_32 = 0xffff_ffffn;
const TWO_32 = 2 ** 32;
/** The last millisecond that int64 holds in ns. */
const MAX_MS = (2n ** 63n - 1n) / NS_PER_MS;
const TRACE_ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;

/**
 * Writes an OTLP export request of metrics point by point. Points that follow one another share their resource and, of the
 * same head, their metric. Throws OversizedMessage past `maxBytes`.
 */
export class MetricRequestWriter {
  private readonly writer: WireWriter;
  private resource: readonly Label[] | undefined;
  private resourceMarks: readonly number[] = [];
  private head: MetricHead | undefined;
  private kind: MetricKind | undefined;
  private metricMarks: readonly number[] = [];

  constructor(maxBytes?: number) {
    this.writer = new WireWriter(maxBytes);
  }

  finish(): Uint8Array {
    this.endResource();
    return this.writer.finish();
  }

  writeNumber(
    head: MetricHead,
    isCounter: boolean,
    value: number,
    times: PointTimes,
    exemplars: readonly PrometheusExemplar[],
  ): void {
    const { writer } = this;
    const mark = this.beginPoint(head, isCounter ? 'sum' : 'gauge', times);
    writer.writeVarint(NUMBER_POINT.double);
    writer.writeDouble(value);
    this.writeShared(head, NUMBER_POINT, exemplars);
    writer.endField(mark);
  }

  writeHistogram(
    head: MetricHead,
    form: HistogramForm,
    values: HistogramValues,
    times: PointTimes,
    exemplars: readonly PrometheusExemplar[],
  ): void {
    const { writer } = this;
    const isExplicit = form.kind === 'explicit';
    const mark = this.beginPoint(head, isExplicit ? 'histogram' : 'exponentialHistogram', times);
    this.writeCount(HISTOGRAM_POINT.count, values.count);
    writer.writeVarint(HISTOGRAM_POINT.sum);
    writer.writeDouble(values.sum);
    if (isExplicit) this.writeExplicit(form);
    else this.writeExponential(form, values);
    this.writeShared(head, isExplicit ? HISTOGRAM_POINT : EXPONENTIAL_POINT, exemplars);
    writer.endField(mark);
  }

  private writeExplicit({ bounds, counts }: Extract<HistogramForm, { kind: 'explicit' }>): void {
    const { writer } = this;
    const countsMark = writer.beginField(HISTOGRAM_POINT.bucketCounts);
    for (const count of counts) writer.writeFixed64(Math.floor(count / TWO_32), count % TWO_32);
    writer.endField(countsMark);
    const boundsMark = writer.beginField(HISTOGRAM_POINT.bounds);
    for (const bound of bounds) writer.writeDouble(bound);
    writer.endField(boundsMark);
  }

  private writeExponential(
    { scale, positive, negative }: Extract<HistogramForm, { kind: 'exponential' }>,
    { zeroCount, zeroThreshold }: HistogramValues,
  ): void {
    const { writer } = this;
    writer.writeIntegerField(EXPONENTIAL_POINT.scale, toZigZag(scale));
    this.writeCount(EXPONENTIAL_POINT.zeroCount, zeroCount);
    writer.writeVarint(EXPONENTIAL_POINT.zeroThreshold);
    writer.writeDouble(zeroThreshold);
    this.writeBuckets(EXPONENTIAL_POINT.positive, positive);
    this.writeBuckets(EXPONENTIAL_POINT.negative, negative);
  }

  private writeBuckets(tag: number, { offset, counts }: DenseBuckets): void {
    if (counts.length === 0) return;
    const { writer } = this;
    const mark = writer.beginField(tag);
    writer.writeIntegerField(BUCKETS.offset, toZigZag(offset));
    const countsMark = writer.beginField(BUCKETS.counts);
    for (const count of counts) writer.writeVarint(count);
    writer.endField(countsMark);
    writer.endField(mark);
  }

  private writeCount(tag: number, count: number): void {
    this.writer.writeVarint(tag);
    this.writer.writeFixed64(Math.floor(count / TWO_32), count % TWO_32);
  }

  private writeShared(
    { attributes }: MetricHead,
    tags: { readonly attribute: number; readonly exemplar: number },
    exemplars: readonly PrometheusExemplar[],
  ): void {
    for (const label of attributes) this.writeAttribute(tags.attribute, label);
    for (const exemplar of exemplars) this.writeExemplar(tags.exemplar, exemplar);
  }

  /** The ids of a trace and span by the names of OpenMetrics; the other labels become attributes. */
  private writeExemplar(tag: number, { labels, value, timestampMs }: PrometheusExemplar): void {
    const { writer } = this;
    const mark = writer.beginField(tag);
    if (timestampMs > 0n) this.writeTime(EXEMPLAR.time, timestampMs);
    writer.writeVarint(EXEMPLAR.double);
    writer.writeDouble(value);
    for (const label of labels) {
      if (label[0] === 'trace_id' && TRACE_ID.test(label[1])) this.writeId(EXEMPLAR.traceId, label[1]);
      else if (label[0] === 'span_id' && SPAN_ID.test(label[1])) this.writeId(EXEMPLAR.spanId, label[1]);
      else this.writeAttribute(EXEMPLAR.attribute, label);
    }
    writer.endField(mark);
  }

  private writeId(tag: number, hex: string): void {
    this.writer.writeBytesField(tag, Buffer.from(hex, 'hex'));
  }

  private beginPoint(head: MetricHead, kind: MetricKind, { timestampMs, startMs }: PointTimes): number {
    if (head !== this.head || kind !== this.kind) this.beginMetric(head, kind);
    const mark = this.writer.beginField(METRIC_DATA.point);
    if (kind !== 'gauge' && startMs > 0n && startMs <= timestampMs) this.writeTime(POINT.start, startMs);
    this.writeTime(POINT.time, timestampMs);
    return mark;
  }

  private writeTime(tag: number, ms: bigint): void {
    const ns = (ms > MAX_MS ? MAX_MS : ms) * NS_PER_MS;
    this.writer.writeVarint(tag);
    this.writer.writeFixed64(Number(ns >> 32n), Number(ns & MASK_32));
  }

  private beginMetric(head: MetricHead, kind: MetricKind): void {
    const { writer } = this;
    this.endMetric();
    if (this.resource === undefined || !areEqual(this.resource, head.resource)) this.beginResource(head.resource);
    const metric = writer.beginField(SCOPE_ITEMS.record);
    writer.writeTextField(METRIC.name, head.name);
    if (head.help !== '') writer.writeTextField(METRIC.description, head.help);
    if (head.unit !== '') writer.writeTextField(METRIC.unit, head.unit);
    const data = writer.beginField(METRIC[kind]);
    if (kind !== 'gauge') writer.writeIntegerField(METRIC_DATA.temporality, TEMPORALITY_CUMULATIVE);
    if (kind === 'sum') writer.writeIntegerField(METRIC_DATA.monotonic, 1);
    this.metricMarks = [metric, data];
    this.head = head;
    this.kind = kind;
  }

  private beginResource(labels: readonly Label[]): void {
    const { writer } = this;
    this.endResource();
    const items = writer.beginField(REQUEST.resourceItems);
    const resource = writer.beginField(RESOURCE_ITEMS.resource);
    for (const label of labels) this.writeAttribute(RESOURCE.attribute, label);
    writer.endField(resource);
    this.resourceMarks = [items, writer.beginField(RESOURCE_ITEMS.scopeItems)];
    this.resource = labels;
  }

  private endMetric(): void {
    for (const mark of this.metricMarks.toReversed()) this.writer.endField(mark);
    this.metricMarks = [];
    this.head = this.kind = undefined;
  }

  private endResource(): void {
    this.endMetric();
    for (const mark of this.resourceMarks.toReversed()) this.writer.endField(mark);
    this.resourceMarks = [];
    this.resource = undefined;
  }

  private writeAttribute(tag: number, [name, value]: Label): void {
    const { writer } = this;
    const attribute = writer.beginField(tag);
    writer.writeTextField(KEY_VALUE.key, name);
    const mark = writer.beginField(KEY_VALUE.value);
    writer.writeTextField(ANY_VALUE.string, value);
    writer.endField(mark);
    writer.endField(attribute);
  }
}

function areEqual(a: readonly Label[], b: readonly Label[]): boolean {
  return a === b || (a.length === b.length && a.every(([name, value], i) => name === b[i][0] && value === b[i][1]));
}

/** sint32 */
function toZigZag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
