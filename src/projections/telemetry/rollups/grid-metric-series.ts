import { MAX_NAME_LENGTH, OTHER_NAME, ROLLUP_BOUNDS } from '../../../diagnostics/rollups/rollup-types.js';
import type {
  MetricSeriesDocument,
  MetricSourceDocument,
} from '../../../read-models/documents/metric-series-documents.js';
import { computeContribution, findIntervalStart, finiteOrNaN, type Contribution } from './cumulative-to-delta.js';
import type { MetricPoint } from './metric-point.js';
import {
  estimateBucketBytes,
  fromSourceDocument,
  seriesKey,
  type SeriesState,
  type SourceState,
  toSourceDocument,
} from './metric-series-state.js';
import { isAfter, RecentPointTimes } from './recent-point-times.js';

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;

/** A series without points for this long is removed. */
const IDLE_HOURS = 24;

/** A cumulative series that started at most this long before its first point counts as observed from its start. */
const NEW_SERIES_WINDOW_US = 10 * MINUTE_US;

/** Point times to remember over all series of a source, and the minimum and maximum of one series. */
const MAX_TIMES_PER_SOURCE = 100_000;
const MIN_TIMES_PER_SERIES = 16;
const MAX_TIMES_PER_SERIES = 1_024;

/** Maximum characters of a series' attributes in canonical form. */
const MAX_ATTRIBUTES_LENGTH = 8_192;

/**
 * Maximum characters of names and attributes of all series of a source: its document is rewritten with each of its
 * points.
 */
const MAX_CHARACTERS_PER_SOURCE = 4 << 20;

/** Approximate memory of a series without its times, buckets and names; of one time; and of one character. */
const SERIES_BYTES = 512;
const TIME_BYTES = 8;
const CHARACTER_BYTES = 2;

/** Result of adding a point. */
export type PointOutcome =
  /** Repeats a known point. */
  | { readonly kind: 'duplicate' }
  /** A gauge or sum whose value is not a finite number. */
  | { readonly kind: 'without-value' }
  /**
   * Its series is beyond the limits. Holds the names that it counts under, `__other__` if the whole name is beyond
   * them.
   */
  | { readonly kind: 'overflow'; readonly service: string; readonly metric: string }
  /** `fromUs`: start of the interval that the contribution covers, which ends at the point's time. */
  | { readonly kind: 'counted'; readonly contribution: Contribution; readonly fromUs: number };

/**
 * All metric series of one Grid, within their limits. A series is removed a day of event time after its last point, on
 * the hour, so that what counts depends on the order of the log only.
 */
export class GridMetricSeries {
  private readonly sources = new Map<string, SourceState>();
  /** Number of series by name. */
  private readonly metrics = new Map<string, number>();
  private readonly services = new Map<string, number>();
  /** Sources that were removed since their documents were last taken. */
  private readonly removedSources = new Set<string>();
  private newestHour: number;
  private overflow: MetricSeriesDocument['overflow'];
  private changed = false;
  /** Series of all sources. */
  private size = 0;
  /** Point times of all series. */
  private times = 0;
  /** Characters of their names and attributes. */
  private characters = 0;
  /** Memory of their buckets in bytes. */
  private bucketBytes = 0;

  constructor(
    readonly gridId: string,
    document: MetricSeriesDocument | undefined,
    sources: readonly MetricSourceDocument[],
  ) {
    this.newestHour = document?.newestHour ?? 0;
    this.overflow = document?.overflow;
    for (const source of sources) this.restore(source);
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.size * SERIES_BYTES + this.times * TIME_BYTES + this.characters * CHARACTER_BYTES + this.bucketBytes;
  }

  addPoint(point: MetricPoint): PointOutcome {
    if ((point.kind === 'gauge' || point.kind === 'sum') && !Number.isFinite(point.value))
      return { kind: 'without-value' };
    this.advanceHour(Math.floor(point.timeUs / HOUR_US));
    const source = this.sources.get(point.source.key);
    const known = source?.series.get(seriesKey(point));
    if (known === undefined && isOversized(point)) return this.toOverflow(point);
    if (known === undefined && (this.isFull(point) || exceedsSourceLimit(source, point))) {
      this.recordOverflow(Math.floor(point.timeUs / MINUTE_US));
      return this.toOverflow(point);
    }
    const into = source ?? this.createSource(point);
    const series = known ?? this.createSeries(into, point);
    const { newest, count } = series.times;
    if (!series.times.add(point, maxTimesPerSeries(into))) return { kind: 'duplicate' };
    this.times += series.times.count - count;
    into.changed = true;
    const contribution = computeContribution(point, known, newest, this.startedInSight(point, into));
    const fromUs = findIntervalStart(point, known === undefined ? undefined : newest);
    if (known === undefined || isAfter(point, newest)) this.rememberNewest(series, point);
    return { kind: 'counted', contribution, fromUs };
  }

  /** Removes series without a point since then. */
  forgetBefore(timeUs: number): void {
    this.forget(({ times }) => times.newest.timeUs < timeUs);
  }

  /**
   * Starts a request that arrived at `arrivedUs`. Series with points far after that were sent by a clock that was ahead
   * and has been set back: they start over, because older points would otherwise add nothing until that time.
   */
  beginRequest(arrivedUs: number): void {
    const hour = Math.floor(arrivedUs / HOUR_US);
    if (this.newestHour <= hour + 1) return;
    this.newestHour = hour;
    this.changed = true;
    this.forget(({ times }) => times.newest.timeUs >= (hour + 2) * HOUR_US);
  }

  private forget(isForgotten: (series: SeriesState) => boolean): void {
    for (const [id, source] of this.sources) {
      for (const [key, series] of source.series) {
        if (!isForgotten(series)) continue;
        source.series.delete(key);
        source.changed = true;
        this.updateTotals(source, series, -1);
        this.times -= series.times.count;
        this.bucketBytes -= estimateBucketBytes(series.buckets);
      }
      if (source.series.size > 0) continue;
      this.sources.delete(id);
      this.removedSources.add(id);
    }
  }

  /** Documents of sources that changed since the last call, by id; undefined: the source has no series any more. */
  takeSourceChanges(): (readonly [id: string, document: MetricSourceDocument | undefined])[] {
    const changes: [string, MetricSourceDocument | undefined][] = [...this.removedSources].map((key) => [
      `${this.gridId}/${key}`,
      undefined,
    ]);
    this.removedSources.clear();
    for (const [key, source] of this.sources) {
      if (source.changed) changes.push([`${this.gridId}/${key}`, toSourceDocument(this.gridId, source)]);
      source.changed = false;
    }
    return changes;
  }

  /** The document of the Grid, if it changed since the last call. */
  takeChange(): MetricSeriesDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const { gridId, newestHour, overflow } = this;
    return { gridId, newestHour, ...(overflow === undefined ? {} : { overflow }) };
  }

  private rememberNewest(
    series: SeriesState,
    { unit, startUs, value, observations, cumulative, delta, buckets }: MetricPoint,
  ): void {
    const kept = cumulative ? buckets : undefined;
    this.bucketBytes += estimateBucketBytes(kept) - estimateBucketBytes(series.buckets);
    Object.assign(series, { unit, startUs, value: finiteOrNaN(value), count: observations, buckets: kept, delta });
  }

  private advanceHour(hour: number): void {
    if (hour <= this.newestHour) return;
    this.newestHour = hour;
    this.changed = true;
    this.forgetBefore((hour - IDLE_HOURS) * HOUR_US);
  }

  private isFull({ source: { service } }: MetricPoint): boolean {
    return (
      this.size >= ROLLUP_BOUNDS.series || (this.services.size >= ROLLUP_BOUNDS.services && !this.services.has(service))
    );
  }

  private toOverflow({ source: { service }, metric }: MetricPoint): PointOutcome {
    return {
      kind: 'overflow',
      service: this.services.has(service) ? service : OTHER_NAME,
      metric: this.metrics.has(metric) ? metric : OTHER_NAME,
    };
  }

  /** A day after the last overflowing point its series would have been removed: the next one starts a new period. */
  private recordOverflow(minute: number): void {
    const known = this.overflow;
    const goesOn = known !== undefined && minute - known.lastMinute <= IDLE_HOURS * 60;
    if (goesOn && minute >= known.firstMinute && minute <= known.lastMinute) return;
    this.overflow = goesOn
      ? { firstMinute: Math.min(known.firstMinute, minute), lastMinute: Math.max(known.lastMinute, minute) }
      : { firstMinute: minute, lastMinute: minute };
    this.changed = true;
  }

  /**
   * Whether everything that the first point of a series reports is recent: its start is recent, or its source has been
   * seen for longer and would have sent it before. Not if points of the series may have overflowed recently.
   */
  private startedInSight({ startUs, timeUs }: MetricPoint, { firstUs }: SourceState): boolean {
    if (startUs === 0) return false;
    const fullUs = (this.overflow?.lastMinute ?? -Infinity) * MINUTE_US;
    return (
      timeUs - startUs <= NEW_SERIES_WINDOW_US ||
      (timeUs - firstUs >= NEW_SERIES_WINDOW_US && timeUs - fullUs > IDLE_HOURS * HOUR_US)
    );
  }

  private createSource({ source: names, timeUs }: MetricPoint): SourceState {
    const source: SourceState = { names, firstUs: timeUs, series: new Map(), characters: 0, changed: true };
    this.sources.set(names.key, source);
    this.removedSources.delete(names.key);
    return source;
  }

  private createSeries(source: SourceState, point: MetricPoint): SeriesState {
    const { metric, unit, kind, monotonic, attributes } = point;
    const series: SeriesState = {
      metric,
      unit,
      kind,
      monotonic,
      attributes,
      startUs: 0,
      value: 0,
      count: 0,
      buckets: undefined,
      delta: false,
      times: new RecentPointTimes(),
    };
    source.series.set(seriesKey(point), series);
    this.updateTotals(source, series, 1);
    return series;
  }

  private updateTotals(source: SourceState, series: SeriesState, more: 1 | -1): void {
    increment(this.services, source.names.service, more);
    increment(this.metrics, series.metric, more);
    this.size += more;
    this.characters += more * countCharacters(series);
    source.characters += more * countCharacters(series);
  }

  private restore(document: MetricSourceDocument): void {
    const source = fromSourceDocument(document);
    this.sources.set(source.names.key, source);
    for (const one of source.series.values()) {
      this.updateTotals(source, one, 1);
      this.times += one.times.count;
      this.bucketBytes += estimateBucketBytes(one.buckets);
    }
  }
}

/** Series with overlong names are rejected, because they would be stored for a long time in several places. */
function isOversized({ source: { service, instance }, metric, unit, attributes }: MetricPoint): boolean {
  return (
    Math.max(service.length, instance.length, metric.length, unit.length) > MAX_NAME_LENGTH ||
    attributes.length > MAX_ATTRIBUTES_LENGTH
  );
}

function countCharacters({ attributes, metric }: Pick<SeriesState, 'attributes' | 'metric'>): number {
  return attributes.length + metric.length;
}

/** Whether one more series would exceed the size limit of the source's document. */
function exceedsSourceLimit(source: SourceState | undefined, point: MetricPoint): boolean {
  return source !== undefined && source.characters + countCharacters(point) > MAX_CHARACTERS_PER_SOURCE;
}

function increment(counts: Map<string, number>, name: string, more: number): void {
  const left = (counts.get(name) ?? 0) + more;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

function maxTimesPerSeries({ series }: SourceState): number {
  return Math.min(MAX_TIMES_PER_SERIES, Math.max(MIN_TIMES_PER_SERIES, Math.floor(MAX_TIMES_PER_SOURCE / series.size)));
}
