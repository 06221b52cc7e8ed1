import {
  BUCKETS,
  EXEMPLAR,
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  METRIC,
  METRIC_DATA,
  NO_RECORDED_VALUE,
  NUMBER_POINT,
  POINT,
  SUMMARY_POINT,
} from '../wire/otlp-field-tags.js';
import { RequestValidator } from './request-validator.js';
import { RejectionReason } from './record-rejections.js';
import { MalformedBody } from '../wire/wire-reader.js';

/** Differences between the kinds of data points: tags of the fields to validate. Tag 0 does not exist. */
interface PointValidationLayout {
  readonly attribute: number;
  readonly exemplar: number;
  readonly flags: number;
  readonly explicitBuckets: boolean;
  readonly exponentialBuckets: boolean;
  readonly quantile: number;
}

const PLAIN = { exemplar: 0, explicitBuckets: false, exponentialBuckets: false, quantile: 0 };
const NUMBER: PointValidationLayout = { ...PLAIN, ...NUMBER_POINT };
const HISTOGRAM: PointValidationLayout = { ...PLAIN, ...HISTOGRAM_POINT, explicitBuckets: true };
const EXPONENTIAL: PointValidationLayout = { ...PLAIN, ...EXPONENTIAL_POINT, exponentialBuckets: true };
const SUMMARY: PointValidationLayout = { ...PLAIN, ...SUMMARY_POINT };
const FIXED64_BYTES = 8;

/**
 * Validates data points. They need a time and matching buckets, unless they are flagged as having no value (a stale
 * series). A metric without a name has all of its points rejected.
 */
export class MetricValidator extends RequestValidator {
  private metricReason: RejectionReason = RejectionReason.None;
  private hasName = false;
  private timeLo = 0;
  private timeHi = 0;
  private flags = 0;
  private bucketCounts = 0;
  private bounds = 0;

  protected override visitRecord(end: number): void {
    const first = this.rejections.total;
    this.metricReason = RejectionReason.None;
    this.hasName = false;
    while (this.reader.pos < end) this.checkMetricField(end);
    if (!this.hasName && this.metricReason === RejectionReason.None) this.metricReason = RejectionReason.NoName;
    this.rejections.rejectSince(first, this.metricReason);
  }

  private checkMetricField(limit: number): void {
    const { reader } = this;
    const tag = reader.readTag(limit);
    switch (tag) {
      case METRIC.gauge:
      case METRIC.sum:
        return this.checkPoints(NUMBER, reader.readPayloadEnd(limit));
      case METRIC.histogram:
        return this.checkPoints(HISTOGRAM, reader.readPayloadEnd(limit));
      case METRIC.exponentialHistogram:
        return this.checkPoints(EXPONENTIAL, reader.readPayloadEnd(limit));
      case METRIC.summary:
        return this.checkPoints(SUMMARY, reader.readPayloadEnd(limit));
      default:
        this.reason = this.metricReason;
        this.checkDescription(tag, limit);
        this.metricReason = this.reason;
    }
  }

  private checkDescription(tag: number, limit: number): void {
    const { reader } = this;
    switch (tag) {
      case METRIC.name: {
        const { pos } = reader;
        this.hasName = reader.readPayloadEnd(limit) > reader.pos;
        reader.pos = pos;
        return this.checkString(limit);
      }
      case METRIC.description:
      case METRIC.unit:
        return this.checkString(limit);
      case METRIC.metadata:
        return this.checkAttribute(reader.readPayloadEnd(limit));
      default:
        reader.skip(tag, limit);
    }
  }

  private checkPoints(layout: PointValidationLayout, end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === METRIC_DATA.point) this.checkPoint(layout, reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
  }

  private checkPoint(layout: PointValidationLayout, end: number): void {
    this.reason = RejectionReason.None;
    this.checkRecordSize(end);
    this.timeLo = this.timeHi = this.flags = this.bucketCounts = this.bounds = 0;
    while (this.reader.pos < end) this.checkPointField(layout, end);
    const valueless = this.flags % 2 === NO_RECORDED_VALUE;
    if (this.timeLo !== 0 || this.timeHi !== 0) this.checkTime(this.timeHi, this.timeLo);
    else if (!valueless) this.reject(RejectionReason.NoTime);
    if (!valueless && !this.hasMatchingBuckets()) this.reject(RejectionReason.Buckets);
    this.finishRecord(this.timeHi, this.timeLo);
  }

  private hasMatchingBuckets(): boolean {
    return this.bucketCounts === this.bounds + 1 || (this.bucketCounts === 0 && this.bounds === 0);
  }

  private checkPointField(layout: PointValidationLayout, limit: number): void {
    const { reader } = this;
    const tag = reader.readTag(limit);
    if (tag === POINT.time) {
      reader.readFixed64(limit);
      this.timeLo = reader.lo;
      this.timeHi = reader.hi;
    } else if (tag === layout.attribute) this.checkAttribute(reader.readPayloadEnd(limit));
    else if (tag === layout.exemplar) this.checkAttributes(EXEMPLAR.attribute, reader.readPayloadEnd(limit));
    else if (tag === layout.flags) this.flags = reader.readVarint(limit);
    else if (tag === layout.quantile) this.checkAttributes(0, reader.readPayloadEnd(limit));
    else if (layout.explicitBuckets) this.countExplicitBuckets(tag, limit);
    else if (layout.exponentialBuckets) this.checkExponentialBuckets(tag, limit);
    else reader.skip(tag, limit);
  }

  /** Counts and bounds, packed or unpacked. */
  private countExplicitBuckets(tag: number, limit: number): void {
    if (tag === HISTOGRAM_POINT.bucketCounts) this.bucketCounts += this.countPacked(limit);
    else if (tag === HISTOGRAM_POINT.bounds) this.bounds += this.countPacked(limit);
    else {
      if (tag === HISTOGRAM_POINT.bucketCount) this.bucketCounts++;
      else if (tag === HISTOGRAM_POINT.bound) this.bounds++;
      this.reader.skip(tag, limit);
    }
  }

  private countPacked(limit: number): number {
    const { reader } = this;
    const end = reader.readPayloadEnd(limit);
    const size = end - reader.pos;
    if (size % FIXED64_BYTES !== 0)
      throw new MalformedBody(`packed 64-bit values have a length of ${size} bytes at byte ${reader.pos}`);
    reader.pos = end;
    return size / FIXED64_BYTES;
  }

  private checkExponentialBuckets(tag: number, limit: number): void {
    const { reader } = this;
    if (tag !== EXPONENTIAL_POINT.positive && tag !== EXPONENTIAL_POINT.negative) return reader.skip(tag, limit);
    const end = reader.readPayloadEnd(limit);
    while (reader.pos < end) {
      const inner = reader.readTag(end);
      if (inner === BUCKETS.counts) this.checkPackedVarints(reader.readPayloadEnd(end));
      else reader.skip(inner, end);
    }
  }

  private checkPackedVarints(end: number): void {
    while (this.reader.pos < end) this.reader.readVarint64(end);
  }
}
