import { bucketMidpoint, type Sketch } from '../rollups/sketch.js';
import type { AlertMetric, AlertMinute, AlertRule, Utilization } from './alert-rule-model.js';
import type { ServiceTotals } from '../rollups/rollup-types.js';

const LATENCY_BUCKETS = 4_096;
const BUCKETS_PER_GROUP = 64;

/** What percentiles are asked of. */
export type PercentileSource = Pick<Sketch, 'percentile'>;

/**
 * Latencies of a window that slides: sketches come and, in the same order, go, and percentiles are those of a sketch
 * that holds the same values. Counts by groups of buckets let a percentile be found in 128 steps at most.
 */
export class LatencyWindow implements PercentileSource {
  private readonly counts = new Uint32Array(LATENCY_BUCKETS);
  private readonly groups = new Uint32Array(LATENCY_BUCKETS / BUCKETS_PER_GROUP);
  private total = 0;
  /** What each sketch brought, bucket and count by turns: reading a sketch again costs more than taking it back. */
  private readonly entered: Uint32Array[] = [];

  add(sketch: Sketch): void {
    scratchLength = 0;
    sketch.forEachBucket(collectEntry);
    const entries = scratchEntries.slice(0, scratchLength);
    this.entered.push(entries);
    this.applyCounts(entries, 1);
  }

  /** Takes back what entered first. */
  removeOldest(): void {
    const entries = this.entered.shift();
    if (entries !== undefined) this.applyCounts(entries, -1);
  }

  /** As `Sketch.percentile`. */
  percentile(p: number): number {
    if (this.total === 0) return 0;
    let left = Math.max(1, Math.ceil((p / 100) * this.total));
    let group = 0;
    while (this.groups[group] < left) left -= this.groups[group++];
    let bucket = group * BUCKETS_PER_GROUP;
    while (this.counts[bucket] < left) left -= this.counts[bucket++];
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

/** One service in the window. */
export class ServiceWindow {
  private readonly sums = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
  private readonly latencies: LatencyWindow | undefined;
  /** The newest reading of each resource. */
  private readonly readings = new Map<string, { readonly minute: number; readonly utilization: number }>();

  constructor(metric: AlertMetric) {
    this.latencies = metric.startsWith('latency_p') ? new LatencyWindow() : undefined;
  }

  get requests(): RequestSums {
    return this.sums;
  }

  get isEmpty(): boolean {
    return this.sums.count === 0 && this.readings.size === 0;
  }

  /** In ns. Only where the metric is a percentile. */
  get latency(): PercentileSource {
    return this.latencies ?? NO_LATENCIES;
  }

  /** Of the fullest resource, each by its newest reading in the window, which must not be of before that minute; undefined without any. */
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

  /** Forgets the reading of that minute, unless there is a newer one. */
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

/** The services that a rule is about over a window that moves forward. A step costs what enters and what leaves. */
export class SlidingWindow {
  /** In ascending order, the first ones perhaps gone already. */
  private minutes: AlertMinute[] = [];
  private first = 0;
  private readonly byService = new Map<string, ServiceWindow>();

  constructor(private readonly rule: Pick<AlertRule, 'metric' | 'serviceName'>) {}

  /** Services with anything in the window. */
  get services(): ReadonlyMap<string, ServiceWindow> {
    return this.byService;
  }

  /** Minutes must come in ascending order. */
  addMinute(minute: AlertMinute): void {
    this.minutes.push(minute);
    for (const totals of this.requestsIn(minute)) this.serviceWindow(totals.service).add(totals);
    for (const reading of this.readingsIn(minute))
      this.serviceWindow(reading.service).addReading(minute.minute, reading);
  }

  /** Drops all minutes before this one. */
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

  private updateService(service: string, change: (window: ServiceWindow) => void): void {
    const window = this.byService.get(service);
    if (window === undefined) return;
    change(window);
    if (window.isEmpty) this.byService.delete(service);
  }

  private requestsIn({ services }: AlertMinute): readonly ServiceTotals[] {
    return this.rule.metric === 'pressure'
      ? []
      : services.filter(({ service, count }) => count > 0 && this.isConcerned(service));
  }

  private readingsIn({ utilizations }: AlertMinute): readonly Utilization[] {
    return this.rule.metric === 'pressure' ? utilizations.filter(({ service }) => this.isConcerned(service)) : [];
  }

  private isConcerned(service: string): boolean {
    return this.rule.serviceName === undefined || this.rule.serviceName === service;
  }

  private serviceWindow(service: string): ServiceWindow {
    let window = this.byService.get(service);
    if (window === undefined) this.byService.set(service, (window = new ServiceWindow(this.rule.metric)));
    return window;
  }
}
