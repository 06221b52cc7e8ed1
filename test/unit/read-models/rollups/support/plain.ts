import { copySeries } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../../../../../src/diagnostics/rollups/sketch.js';
import { LazyMetricSeries } from '../../../../../src/read-models/rollups/metric-series-codec.js';

/** A rollup with its sketches as lists and its lists in one order, so that any two can be compared. */
export function plain(rollup: unknown): unknown {
  if (rollup instanceof Sketch) return { sketch: [...rollup.entries()], count: rollup.count };
  if (isPair(rollup)) return rollup;
  if (Array.isArray(rollup)) return rollup.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof rollup !== 'object' || rollup === null) return rollup;
  const entries = Object.entries(rollup instanceof LazyMetricSeries ? copySeries(rollup) : rollup).map(
    ([key, value]) => [key, isTuple(key) || isPairs(key) ? value : plain(value)] as const,
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of an attribute. */
function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** Their places mean something. */
function isTuple(key: string): boolean {
  return ['kinds', 'entryKinds', 'severities', 'bounds', 'counts'].includes(key);
}

/** Pairs of numbers, in the order of the first. */
function isPairs(key: string): boolean {
  return key === 'quantiles';
}

/** The same with every list the other way round. */
export function reversed<T>(rollup: T): T {
  if (isPair(rollup) || rollup instanceof Sketch || typeof rollup !== 'object' || rollup === null) return rollup;
  if (Array.isArray(rollup)) return rollup.map((item: unknown) => reversed(item)).reverse() as T;
  return Object.fromEntries(
    Object.entries(rollup).map(([key, value]: [string, unknown]) => [
      key,
      isPairs(key) ? [...(value as readonly unknown[])].reverse() : isTuple(key) ? value : reversed(value),
    ]),
  ) as T;
}
