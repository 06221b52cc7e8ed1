import type { HistogramBuckets } from '../../../telemetry/metric-distributions.js';
import { MAX_SERVICE_MINUTES } from '../../../telemetry/otlp/validation/service-minute-counter.js';
import type { DivisionLimit } from './covered-minutes.js';
import type { MetricPoint } from './metric-point.js';

/** Approximate bytes of the parts that the points of one request may be divided into. */
const MAX_PART_BYTES = 32 * 1024 * 1024;

/** Approximate bytes of a part without its attributes and buckets. */
const PART_BYTES = 200;
const EXEMPLAR_BYTES = 200;
const BYTES_PER_BUCKET = 8;
const BYTES_PER_CHARACTER = 2;

/**
 * What dividing the points of one request among the minutes that they cover may cost: a point of an hour becomes 60
 * parts, so that without a limit a request that is valid would take 60 times the memory and the time of any other. The
 * service-minutes are limited as those of the times of its records are.
 */
export class DivisionBudget implements DivisionLimit {
  private readonly serviceMinutes = new Map<string, Set<number>>();
  private serviceMinuteCount = 0;
  private bytes = 0;

  constructor(
    private readonly maxBytes = MAX_PART_BYTES,
    private readonly maxServiceMinutes = MAX_SERVICE_MINUTES,
  ) {}

  admit(
    { source, attributes, exemplars }: Pick<MetricPoint, 'source' | 'attributes' | 'exemplars'>,
    firstMinute: number,
    minutes: number,
    buckets: HistogramBuckets | undefined,
  ): boolean {
    const partBytes =
      PART_BYTES +
      countBuckets(buckets) * BYTES_PER_BUCKET +
      attributes.length * BYTES_PER_CHARACTER +
      exemplars.length * EXEMPLAR_BYTES;
    if (this.bytes + minutes * partBytes > this.maxBytes) return false;
    if (!this.admitMinutes(source.service, firstMinute, minutes)) return false;
    this.bytes += minutes * partBytes;
    return true;
  }

  private admitMinutes(service: string, firstMinute: number, minutes: number): boolean {
    const known = this.serviceMinutes.get(service) ?? new Set<number>();
    const covered = Array.from({ length: minutes }, (_, i) => firstMinute + i);
    const added = covered.filter((minute) => !known.has(minute));
    if (this.serviceMinuteCount + added.length > this.maxServiceMinutes) return false;
    added.forEach((minute) => known.add(minute));
    this.serviceMinuteCount += added.length;
    this.serviceMinutes.set(service, known);
    return true;
  }
}

function countBuckets(buckets: HistogramBuckets | undefined): number {
  if (buckets === undefined) return 0;
  return buckets.kind === 'explicit'
    ? buckets.counts.length
    : buckets.negative.counts.length + buckets.positive.counts.length + 1;
}
