import type { Json } from './otlp-requests.js';

/** Measurements of an application as lists, and the data points that an SDK derives from them for each export. */
export interface Measurement {
  readonly atMs: number;
  readonly value: number;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

/** A process with its start and export times; a restart resets its cumulative sums. */
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

/** Time (ms) of the export that contains a measurement; undefined after the last one. */
export function exportTimeOf({ exportsMs }: Exporting, atMs: number): number | undefined {
  return exportsMs.find((exportMs) => exportMs >= atMs);
}

/** The metric of one instrument in one export: a data point per attribute set. */
export type Exported = (instrument: Instrument, exporting: Exporting, exportMs: number) => Json;

export const counter =
  (temporality: number, isMonotonic = true): Exported =>
  (instrument, exporting, exportMs) => {
    const points = pointsOf(instrument, exporting, exportMs, temporality, (own) => ({ asDouble: total(own) }));
    return metric(instrument, 'sum', { dataPoints: points, aggregationTemporality: temporality, isMonotonic });
  };

/** The newest value per attribute set since the previous export. */
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

/** For values above 0 (metrics data model, "Exponential Buckets"). */
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

/** Nearest-rank quantiles of the measurements since the previous export. */
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
  report: (own: readonly Measurement[]) => { readonly [name: string]: Json },
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
    ...report(own),
  }));
}

function metric({ name, unit }: Instrument, kind: string, data: { readonly [name: string]: Json }): Json {
  return { name, unit, [kind]: data };
}

/** Minimum and maximum, like SDKs; in cumulative histograms they apply since the start. */
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
