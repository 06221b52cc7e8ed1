import type { Label, PrometheusExemplar, PrometheusSeries } from './remote-write.js';
import { toSeriesKey } from './series-key.js';

/** Exemplars that a request may bring, and labels of each: OpenMetrics allows 128 characters. */
const MAX_EXEMPLARS = 10_000;
const MAX_LABELS = 16;
/** Memory that they and the keys of their series take. */
const MAX_BYTES = 16 << 20;
/** Approximate memory of an exemplar. */
const EXEMPLAR_BYTES = 300;

const NONE: readonly PrometheusExemplar[] = [];

/** The exemplars of a series that belong to its next point. */
export class PendingExemplars {
  private list: PrometheusExemplar[] = [];

  add(exemplar: PrometheusExemplar): void {
    this.list.push(exemplar);
  }

  /** Removes and returns them. */
  take(): readonly PrometheusExemplar[] {
    const { list } = this;
    if (list.length === 0) return NONE;
    this.list = [];
    return list;
  }
}

/**
 * The exemplars of a request until a point of their series is written. Prometheus sends them in series of their own, which
 * may follow those with the values.
 */
export class ExemplarStore {
  private readonly bySeries = new Map<string, PendingExemplars>();
  private size = 0;
  private bytes = 0;

  /** Keeps the exemplars of a series; those beyond the limits are dropped. */
  add(series: PrometheusSeries): void {
    let pending: PendingExemplars | undefined;
    series.visitExemplars((exemplar) => {
      if (this.isFull || exemplar.labels.length > MAX_LABELS) return;
      pending ??= this.getOrCreate(series.labels);
      pending.add(exemplar);
      this.size++;
      this.bytes += EXEMPLAR_BYTES + countTextBytes(exemplar.labels);
    });
  }

  /** Those of a series, undefined if there are none. */
  find(labels: readonly Label[]): PendingExemplars | undefined {
    return this.bySeries.size === 0 ? undefined : this.bySeries.get(toSeriesKey(labels));
  }

  private get isFull(): boolean {
    return this.size >= MAX_EXEMPLARS || this.bytes >= MAX_BYTES;
  }

  private getOrCreate(labels: readonly Label[]): PendingExemplars {
    const key = toSeriesKey(labels);
    this.bytes += 2 * key.length;
    let pending = this.bySeries.get(key);
    if (pending === undefined) this.bySeries.set(key, (pending = new PendingExemplars()));
    return pending;
  }
}

/** Strings take up to two bytes a character. */
function countTextBytes(labels: readonly Label[]): number {
  return labels.reduce((bytes, [name, value]) => bytes + 2 * (name.length + value.length), 0);
}
