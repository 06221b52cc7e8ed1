import type { AlertMetric, AlertRule } from '../alert-rule.js';
import type { ServiceTotals } from '../rollups.js';
import type { AlertMinute, Utilization } from './alert-minute.js';
import { LatencyWindow, type Latencies } from './latency-window.js';

type RequestSums = Pick<ServiceTotals, 'count' | 'errors' | 'durationNs' | 'satisfied' | 'tolerating'>;

const NOTHING: Latencies = new LatencyWindow();

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
  get latency(): Latencies {
    return this.latencies ?? NOTHING;
  }

  /** Of the fullest resource, each by its newest reading in the window, which must not be of before that minute; undefined without any. */
  utilization(oldestMinute: number): number | undefined {
    let highest: number | undefined;
    for (const { minute, utilization } of this.readings.values()) if (minute >= oldestMinute) highest = Math.max(highest ?? 0, utilization);
    return highest;
  }

  enter(totals: ServiceTotals): void {
    this.count(totals, 1);
    this.latencies?.enter(totals.latency);
  }

  leave(totals: ServiceTotals): void {
    this.count(totals, -1);
    this.latencies?.leave();
  }

  read(minute: number, { resource, utilization }: Utilization): void {
    const known = this.readings.get(resource);
    const isFuller = known?.minute === minute && known.utilization > utilization;
    if (!isFuller) this.readings.set(resource, { minute, utilization });
  }

  /** Forgets the reading of that minute, unless there is a newer one. */
  forget(minute: number, { resource }: Utilization): void {
    if (this.readings.get(resource)?.minute === minute) this.readings.delete(resource);
  }

  private count(totals: ServiceTotals, times: 1 | -1): void {
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
  enter(minute: AlertMinute): void {
    this.minutes.push(minute);
    for (const totals of this.requestsIn(minute)) this.windowOf(totals.service).enter(totals);
    for (const reading of this.readingsIn(minute)) this.windowOf(reading.service).read(minute.minute, reading);
  }

  /** Drops all minutes before this one. */
  leaveBefore(minute: number): void {
    while (this.first < this.minutes.length && this.minutes[this.first].minute < minute) this.leave(this.minutes[this.first++]);
    if (this.first > 0 && this.first * 2 >= this.minutes.length) {
      this.minutes = this.minutes.slice(this.first);
      this.first = 0;
    }
  }

  private leave(minute: AlertMinute): void {
    for (const totals of this.requestsIn(minute)) this.after(totals.service, (window) => window.leave(totals));
    for (const reading of this.readingsIn(minute)) this.after(reading.service, (window) => window.forget(minute.minute, reading));
  }

  private after(service: string, change: (window: ServiceWindow) => void): void {
    const window = this.byService.get(service);
    if (window === undefined) return;
    change(window);
    if (window.isEmpty) this.byService.delete(service);
  }

  private requestsIn({ services }: AlertMinute): readonly ServiceTotals[] {
    return this.rule.metric === 'pressure' ? [] : services.filter(({ service, count }) => count > 0 && this.concerns(service));
  }

  private readingsIn({ utilizations }: AlertMinute): readonly Utilization[] {
    return this.rule.metric === 'pressure' ? utilizations.filter(({ service }) => this.concerns(service)) : [];
  }

  private concerns(service: string): boolean {
    return this.rule.serviceName === undefined || this.rule.serviceName === service;
  }

  private windowOf(service: string): ServiceWindow {
    let window = this.byService.get(service);
    if (window === undefined) this.byService.set(service, (window = new ServiceWindow(this.rule.metric)));
    return window;
  }
}
