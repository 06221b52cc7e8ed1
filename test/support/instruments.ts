import type { Json } from './otlp-requests.js';

/** What an application measures, as plain lists; and the data points that an SDK makes of it with each export. */
export interface Measurement {
  readonly atMs: number;
  readonly value: number;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

/** One process: it starts, exports every so often, and may start anew, which sets its cumulative sums back. */
export interface Exporting {
  readonly exportsMs: readonly number[];
  readonly startsMs: readonly number[];
}

export interface Instrument {
  readonly name: string;
  readonly unit: string;
  readonly measurements: readonly Measurement[];
}

export const DELTA = 1;
export const CUMULATIVE = 2;

/** The export that tells of what was measured then, ms; undefined past the last. */
export function exportOf({ exportsMs }: Exporting, atMs: number): number | undefined {
  return exportsMs.find((exportMs) => exportMs >= atMs);
}

/** What one export says of one instrument: a data point for each set of attributes. */
export type Exported = (instrument: Instrument, exporting: Exporting, exportMs: number) => Json;

export const counter =
  (temporality: number, isMonotonic = true): Exported =>
  (instrument, exporting, exportMs) => {
    const points = pointsOf(instrument, exporting, exportMs, temporality, (own) => ({ asDouble: total(own) }));
    return metric(instrument, 'sum', { dataPoints: points, aggregationTemporality: temporality, isMonotonic });
  };

/** The newest value of each set of attributes since the export before. */
export const gauge: Exported = (instrument, exporting, exportMs) =>
  metric(instrument, 'gauge', {
    dataPoints: pointsOf(instrument, exporting, exportMs, DELTA, (own) => ({ asDouble: own.at(-1)!.value })),
  });

export const histogram =
  (temporality: number, bounds: readonly number[]): Exported =>
  (instrument, exporting, exportMs) => {
    const points = pointsOf(instrument, exporting, exportMs, temporality, (own) => ({
      ...extremes(own),
      explicitBounds: bounds,
      bucketCounts: countsBy(own, (value) => bounds.filter((bound) => bound < value).length, bounds.length + 1).map(
        String,
      ),
    }));
    return metric(instrument, 'histogram', { dataPoints: points, aggregationTemporality: temporality });
  };

/** Of values above 0 (metrics data model, "Exponential Buckets"). */
export const exponentialHistogram =
  (temporality: number, scale: number): Exported =>
  (instrument, exporting, exportMs) => {
    const indexOf = (value: number): number => Math.ceil(Math.log2(value) * 2 ** scale) - 1;
    const points = pointsOf(instrument, exporting, exportMs, temporality, (own) => {
      const indexes = own.map(({ value }) => indexOf(value));
      const offset = Math.min(...indexes);
      return {
        ...extremes(own),
        scale,
        zeroCount: '0',
        positive: {
          offset,
          bucketCounts: countsBy(own, (value) => indexOf(value) - offset, Math.max(...indexes) - offset + 1).map(
            String,
          ),
        },
      };
    });
    return metric(instrument, 'exponentialHistogram', { dataPoints: points, aggregationTemporality: temporality });
  };

/** Nearest-rank quantiles of what was measured since the export before. */
export const summary =
  (quantiles: readonly number[]): Exported =>
  (instrument, exporting, exportMs) => {
    const points = pointsOf(instrument, exporting, exportMs, CUMULATIVE, (own) => {
      const sorted = own.map(({ value }) => value).sort((a, b) => a - b);
      return {
        count: String(own.length),
        sum: total(own),
        quantileValues: quantiles.map((quantile) => ({
          quantile,
          value: sorted[Math.max(1, Math.ceil(quantile * sorted.length)) - 1],
        })),
      };
    });
    return metric(instrument, 'summary', { dataPoints: points });
  };

function pointsOf(
  { measurements }: Instrument,
  { exportsMs, startsMs }: Exporting,
  exportMs: number,
  temporality: number,
  tell: (own: readonly Measurement[]) => { readonly [name: string]: Json },
): Json[] {
  const start = startsMs.filter((startMs) => startMs < exportMs).at(-1)!;
  const before = exportsMs.filter((each) => each < exportMs).at(-1) ?? start;
  const fromMs = temporality === CUMULATIVE ? start : Math.max(start, before);
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    if (measurement.atMs <= fromMs || measurement.atMs > exportMs) continue;
    const key = JSON.stringify(measurement.attributes);
    groups.set(key, [...(groups.get(key) ?? []), measurement]);
  }
  return [...groups.values()].map((own) => ({
    attributes: own[0].attributes.map(([key, value]) => ({ key, value: { stringValue: value } })),
    startTimeUnixNano: nanos(fromMs),
    timeUnixNano: nanos(exportMs),
    ...tell(own),
  }));
}

function metric({ name, unit }: Instrument, kind: string, data: { readonly [name: string]: Json }): Json {
  return { name, unit, [kind]: data };
}

/** As SDKs do, also of cumulative histograms, where they hold since the start and not for an interval. */
function extremes(own: readonly Measurement[]): { readonly [name: string]: Json } {
  const values = own.map(({ value }) => value);
  return { count: String(values.length), sum: total(own), min: Math.min(...values), max: Math.max(...values) };
}

function countsBy(own: readonly Measurement[], indexOf: (value: number) => number, size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const { value } of own) counts[indexOf(value)]++;
  return counts;
}

function total(own: readonly Measurement[]): number {
  return own.reduce((sum, { value }) => sum + value, 0);
}

function nanos(ms: number): string {
  return `${ms}000000`;
}
