import type { Exemplar } from '../telemetry/distribution.js';
import { byText } from './by-text.js';
import { ROLLUP_BOUNDS } from './rollups.js';

const NONE: readonly Exemplar[] = [];

/** Those of the largest values that a rollup keeps of all lists, each once. Which ones stay does not depend on the order of the lists. */
export function largestExemplars(lists: readonly (readonly Exemplar[])[]): readonly Exemplar[] {
  const told = lists.filter(({ length }) => length > 0);
  if (told.length === 0) return NONE;
  const sorted = told.flat().sort(compareExemplars);
  return sorted.filter((each, i) => i === 0 || compareExemplars(sorted[i - 1], each) !== 0).slice(0, ROLLUP_BOUNDS.exemplars);
}

/** See MetricSeriesRollup. */
export function compareExemplars(a: Exemplar, b: Exemplar): number {
  return b.value - a.value || a.timeUs - b.timeUs || byText(a.traceId, b.traceId) || byText(a.spanId, b.spanId);
}
