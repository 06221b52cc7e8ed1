import { bucketMidpoint, type Sketch } from '../rollups/sketch.js';
import type { ServiceMetric } from './alert-metrics.js';
import type { AlertMinute, MetricAlertRule, Utilization } from './alert-rule-model.js';
import type { ServiceTotals } from '../rollups/rollup-types.js';

const LATENCY_BUCKETS = 4_096;
const BUCKETS_PER_GROUP = 64;

/** Source of latency percentiles. */
export type PercentileSource = Pick<Sketch, 'percentile'>;

/**
 * Latencies of a sliding window: sketches are added and removed in the same order; percentiles equal those of a single
 * sketch with the same values. Counts by groups of buckets bound a percentile to 128 steps.
 */
export class LatencyWindow implements PercentileSource {
  private readonly counts = new Uint32Array(LATENCY_BUCKETS);
  private readonly groups = new Uint32Array(LATENCY_BUCKETS / BUCKETS_PER_GROUP);
  private total = 0;
  /**
   * Entries of each sketch as alternating bucket and count: removing these is cheaper than reading the sketch again.
   */
  private readonly entriesBySketch: Uint32Array[] = [];

  add(sketch: Sketch): void {
    scratchLength = 0;
    sketch.forEachBucket(collectEntry);
    const entries = scratchEntries.slice(0, scratchLength);
    this.entriesBySketch.push(entries);
    this.applyCounts(entries, 1);
  }

  /** Removes the sketch that was added first. */
  removeOldest(): void {
    const entries = this.entriesBySketch.shift();
    if (entries !== undefined) this.applyCounts(entries, -1);
  }

  /** See Sketch.percentile. */
  percentile(p: number): number {
    if (this.total === 0) return 0;
    let remaining = Math.max(1, Math.ceil((p / 100) * this.total));
    let group = 0;
    while (this.groups[group] < remaining) remaining -= this.groups[group++];
    let bucket = group * BUCKETS_PER_GROUP;
    while (this.counts[bucket] < remaining) remaining -= this.counts[bucket++];
    return bucketMidpoint(bucket);
  }

  private applyCounts(entries: Uint32Array, times: 1 | -1): void {
    const { counts, groups } = this;
    let total = 0;
    for (let i = 0; i < entries.length; i += 2) {
      const bucket = entries[i];
      const count = times * entries[i + 1];
      counts[bucket] += count;
      groups[bucket >> 6] += count;
      total += count;
    }
    this.total += total;
  }
}

const scratchEntries = new Uint32Array(2 * LATENCY_BUCKETS);
let scratchLength = 0;

function collectEntry(bucket: number, count: number): void {
  scratchEntries[scratchLength++] = bucket;
  scratchEntries[scratchLength++] = count;
}

type RequestSums = Pick<ServiceTotals, 'count' | 'errors' | 'durationNs' | 'satisfied' | 'tolerating'>;
const NO_LATENCIES: PercentileSource = new LatencyWindow();

/** Data of one service in the window. */
export class ServiceWindow {
  private readonly sums = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
  private readonly latencies: LatencyWindow | undefined;
  /** The newest reading of each resource. */
  private readonly readings = new Map<string, { readonly minute: number; readonly utilization: number }>();

  constructor(metric: ServiceMetric) {
    this.latencies = metric.startsWith('latency_p') ? new LatencyWindow() : undefined;
  }

  get requests(): RequestSums {
    return this.sums;
  }

  get isEmpty(): boolean {
    return this.sums.count === 0 && this.readings.size === 0;
  }

  /** Latencies in ns; empty unless the metric is a percentile. */
  get latency(): PercentileSource {
    return this.latencies ?? NO_LATENCIES;
  }

  /**
   * Highest utilization of any resource, each by its newest reading in the window, ignoring those before
   * `oldestMinute`; undefined without any.
   */
  utilization(oldestMinute: number): number | undefined {
    let highest: number | undefined;
    for (const { minute, utilization } of this.readings.values())
      if (minute >= oldestMinute) highest = Math.max(highest ?? 0, utilization);
    return highest;
  }

  add(totals: ServiceTotals): void {
    this.accumulate(totals, 1);
    this.latencies?.add(totals.latency);
  }

  remove(totals: ServiceTotals): void {
    this.accumulate(totals, -1);
    this.latencies?.removeOldest();
  }

  addReading(minute: number, { resource, utilization }: Utilization): void {
    const known = this.readings.get(resource);
    const isFuller = known?.minute === minute && known.utilization > utilization;
    if (!isFuller) this.readings.set(resource, { minute, utilization });
  }

  /** Removes the reading of that minute unless there is a newer one. */
  removeReading(minute: number, { resource }: Utilization): void {
    if (this.readings.get(resource)?.minute === minute) this.readings.delete(resource);
  }

  private accumulate(totals: ServiceTotals, times: 1 | -1): void {
    const { sums } = this;
    sums.count += times * totals.count;
    sums.errors += times * totals.errors;
    sums.durationNs += times * totals.durationNs;
    sums.satisfied += times * totals.satisfied;
    sums.tolerating += times * totals.tolerating;
  }
}

/**
 * The services in the scope of a rule over a window that moves forward. A step costs only what enters and what leaves.
 */
export class SlidingWindow {
  /** Ascending; those before index `first` are already removed. */
  private minutes: AlertMinute[] = [];
  private first = 0;
  private readonly byService = new Map<string, ServiceWindow>();

  constructor(private readonly rule: Pick<MetricAlertRule, 'metric' | 'serviceName'>) {}

  /** Services with any data in the window. */
  get services(): ReadonlyMap<string, ServiceWindow> {
    return this.byService;
  }

  /** Adds a minute; minutes must be in ascending order. */
  addMinute(minute: AlertMinute): void {
    this.minutes.push(minute);
    for (const totals of this.requestsIn(minute)) this.getOrCreateServiceWindow(totals.service).add(totals);
    for (const reading of this.readingsIn(minute))
      this.getOrCreateServiceWindow(reading.service).addReading(minute.minute, reading);
  }

  /** Removes all minutes before this one. */
  removeBefore(minute: number): void {
    while (this.first < this.minutes.length && this.minutes[this.first].minute < minute)
      this.removeMinute(this.minutes[this.first++]);
    if (this.first > 0 && this.first * 2 >= this.minutes.length) {
      this.minutes = this.minutes.slice(this.first);
      this.first = 0;
    }
  }

  private removeMinute(minute: AlertMinute): void {
    for (const totals of this.requestsIn(minute)) this.updateService(totals.service, (window) => window.remove(totals));
    for (const reading of this.readingsIn(minute))
      this.updateService(reading.service, (window) => window.removeReading(minute.minute, reading));
  }

  private updateService(service: string, update: (window: ServiceWindow) => void): void {
    const window = this.byService.get(service);
    if (window === undefined) return;
    update(window);
    if (window.isEmpty) this.byService.delete(service);
  }

  private requestsIn({ services }: AlertMinute): readonly ServiceTotals[] {
    return this.rule.metric === 'pressure'
      ? []
      : services.filter(({ service, count }) => count > 0 && this.isInScope(service));
  }

  private readingsIn({ utilizations }: AlertMinute): readonly Utilization[] {
    return this.rule.metric === 'pressure' ? utilizations.filter(({ service }) => this.isInScope(service)) : [];
  }

  private isInScope(service: string): boolean {
    return this.rule.serviceName === undefined || this.rule.serviceName === service;
  }

  private getOrCreateServiceWindow(service: string): ServiceWindow {
    let window = this.byService.get(service);
    if (window === undefined) this.byService.set(service, (window = new ServiceWindow(this.rule.metric)));
    return window;
  }
}
