import {
  BUCKETS, EXEMPLAR, EXPONENTIAL_POINT, HISTOGRAM_POINT, METRIC, METRIC_DATA, NO_RECORDED_VALUE, NUMBER_POINT, POINT, SUMMARY_POINT,
} from './fields.js';
import { RequestValidator } from './request-validator.js';
import { Fault } from './verdicts.js';
import { MalformedBody } from './wire-reader.js';

/** Where the kinds of data points differ: the tags of what has to be judged. Tag 0 does not exist. */
interface PointLayout {
  readonly attribute: number;
  readonly exemplar: number;
  readonly flags: number;
  readonly explicitBuckets: boolean;
  readonly exponentialBuckets: boolean;
  readonly quantile: number;
}

const PLAIN = { exemplar: 0, explicitBuckets: false, exponentialBuckets: false, quantile: 0 };
const NUMBER: PointLayout = { ...PLAIN, ...NUMBER_POINT };
const HISTOGRAM: PointLayout = { ...PLAIN, ...HISTOGRAM_POINT, explicitBuckets: true };
const EXPONENTIAL: PointLayout = { ...PLAIN, ...EXPONENTIAL_POINT, exponentialBuckets: true };
const SUMMARY: PointLayout = { ...PLAIN, ...SUMMARY_POINT };

const FIXED64_BYTES = 8;

/**
 * Judges data points. They need a time and buckets that fit, unless they are flagged as having no value (the series
 * went stale): then there is nothing that could be wrong. A metric without a name takes its points with it.
 */
export class MetricValidator extends RequestValidator {
  private metricFault: Fault = Fault.None;
  private hasName = false;
  private timeLo = 0;
  private timeHi = 0;
  private flags = 0;
  private bucketCounts = 0;
  private bounds = 0;

  protected override record(end: number): void {
    const first = this.verdicts.total;
    this.metricFault = Fault.None;
    this.hasName = false;
    while (this.reader.pos < end) this.metricField(end);
    if (!this.hasName && this.metricFault === Fault.None) this.metricFault = Fault.NoName;
    this.verdicts.rejectSince(first, this.metricFault);
  }

  private metricField(limit: number): void {
    const { reader } = this;
    const tag = reader.tag(limit);
    switch (tag) {
      case METRIC.gauge:
      case METRIC.sum:
        return this.points(NUMBER, reader.end(limit));
      case METRIC.histogram:
        return this.points(HISTOGRAM, reader.end(limit));
      case METRIC.exponentialHistogram:
        return this.points(EXPONENTIAL, reader.end(limit));
      case METRIC.summary:
        return this.points(SUMMARY, reader.end(limit));
      default:
        this.fault = this.metricFault;
        this.description(tag, limit);
        this.metricFault = this.fault;
    }
  }

  private description(tag: number, limit: number): void {
    const { reader } = this;
    switch (tag) {
      case METRIC.name: {
        const { pos } = reader;
        this.hasName = reader.end(limit) > reader.pos;
        reader.pos = pos;
        return this.string(limit);
      }
      case METRIC.description:
      case METRIC.unit:
        return this.string(limit);
      case METRIC.metadata:
        return this.attribute(reader.end(limit));
      default:
        reader.skip(tag, limit);
    }
  }

  private points(layout: PointLayout, end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === METRIC_DATA.point) this.point(layout, reader.end(end));
      else reader.skip(tag, end);
    }
  }

  private point(layout: PointLayout, end: number): void {
    this.fault = Fault.None;
    this.size(end);
    this.timeLo = this.timeHi = this.flags = this.bucketCounts = this.bounds = 0;
    while (this.reader.pos < end) this.pointField(layout, end);
    const valueless = this.flags % 2 === NO_RECORDED_VALUE;
    if (this.timeLo !== 0 || this.timeHi !== 0) this.time(this.timeHi, this.timeLo);
    else if (!valueless) this.reject(Fault.NoTime);
    if (!valueless && !this.bucketsFit()) this.reject(Fault.Buckets);
    this.judged(this.timeHi, this.timeLo);
  }

  private bucketsFit(): boolean {
    return this.bucketCounts === this.bounds + 1 || (this.bucketCounts === 0 && this.bounds === 0);
  }

  private pointField(layout: PointLayout, limit: number): void {
    const { reader } = this;
    const tag = reader.tag(limit);
    if (tag === POINT.time) {
      reader.fixed64(limit);
      this.timeLo = reader.lo;
      this.timeHi = reader.hi;
    } else if (tag === layout.attribute) this.attribute(reader.end(limit));
    else if (tag === layout.exemplar) this.attributesOf(EXEMPLAR.attribute, reader.end(limit));
    else if (tag === layout.flags) this.flags = reader.varint(limit);
    else if (tag === layout.quantile) this.attributesOf(0, reader.end(limit));
    else if (layout.explicitBuckets) this.explicitBuckets(tag, limit);
    else if (layout.exponentialBuckets) this.exponentialBuckets(tag, limit);
    else reader.skip(tag, limit);
  }

  /** Counts and bounds, packed or one by one. */
  private explicitBuckets(tag: number, limit: number): void {
    if (tag === HISTOGRAM_POINT.bucketCounts) this.bucketCounts += this.packed(limit);
    else if (tag === HISTOGRAM_POINT.bounds) this.bounds += this.packed(limit);
    else {
      if (tag === HISTOGRAM_POINT.bucketCount) this.bucketCounts++;
      else if (tag === HISTOGRAM_POINT.bound) this.bounds++;
      this.reader.skip(tag, limit);
    }
  }

  private packed(limit: number): number {
    const { reader } = this;
    const end = reader.end(limit);
    const size = end - reader.pos;
    if (size % FIXED64_BYTES !== 0) throw new MalformedBody(`packed 64-bit values take ${size} bytes at byte ${reader.pos}`);
    reader.pos = end;
    return size / FIXED64_BYTES;
  }

  private exponentialBuckets(tag: number, limit: number): void {
    const { reader } = this;
    if (tag !== EXPONENTIAL_POINT.positive && tag !== EXPONENTIAL_POINT.negative) return reader.skip(tag, limit);
    const end = reader.end(limit);
    while (reader.pos < end) {
      const inner = reader.tag(end);
      if (inner === BUCKETS.counts) this.packedVarints(reader.end(end));
      else reader.skip(inner, end);
    }
  }

  private packedVarints(end: number): void {
    while (this.reader.pos < end) this.reader.varint64(end);
  }
}
