import assert from 'node:assert/strict';
import {
  MAX_SERIES_POINTS,
  OTHER_GROUPS_LABEL,
  type ChartData,
  type ChartWindow,
} from '../../../../src/diagnostics/chart-series/chart-series.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';

/** One thing that was measured: a request, a log record, a data point. */
export interface Measured {
  readonly atMs: number;
}

export interface Expectation<T extends Measured> {
  readonly groupOf: (item: T) => string;
  /** Of items of so many seconds; undefined: there is none. */
  readonly valueOf: (items: readonly T[], seconds: number) => number | undefined;
  /** The value of a step without items. */
  readonly empty?: number;
  /** 1: the smallest value comes first. Default: the largest. */
  readonly direction?: 1 | -1;
}

export interface Expected {
  readonly label: string;
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
}

/** What a chart is to show, straight from the decisions: all items at hand at once, groups and steps by filtering. */
export function expectedSeries<T extends Measured>(
  all: readonly T[],
  window: ChartWindow,
  expectation: Expectation<T>,
): Expected[] {
  const { direction = -1, groupOf, valueOf } = expectation;
  const items = all.filter(({ atMs }) => atMs >= window.fromMs && atMs < window.toMs);
  const seconds = (Math.min(window.toMs, window.nowMs) - window.fromMs) / 1000;
  const groups = groupedBy(items, groupOf);
  const ranked = [...groups]
    .map(([label, own]) => ({ label, own, value: valueOf(own, seconds) }))
    .filter(({ value }) => value !== undefined);
  ranked.sort((a, b) => direction * (a.value! - b.value!) || (a.label < b.label ? -1 : 1));
  const others = ranked.slice(10).flatMap(({ own }) => own);
  const shown = ranked.slice(0, 10).map(({ label, own }) => ({ label, points: pointsOf(own, window, expectation) }));
  return others.length === 0
    ? shown
    : [...shown, { label: OTHER_GROUPS_LABEL, points: pointsOf(others, window, expectation) }];
}

function groupedBy<T>(items: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  return new Map(
    [...new Set(items.map(groupOf))].map((name) => [name, items.filter((item) => groupOf(item) === name)]),
  );
}

function pointsOf<T extends Measured>(
  items: readonly T[],
  window: ChartWindow,
  { valueOf, empty }: Expectation<T>,
): { atMs: number; value: number }[] {
  const points: { atMs: number; value: number }[] = [];
  const first = window.isWhole ? window.fromMs : Math.floor(window.fromMs / window.stepMs) * window.stepMs;
  for (let atMs = first; atMs < window.toMs; atMs += window.stepMs) {
    const [from, to] = [Math.max(atMs, window.fromMs), Math.min(atMs + window.stepMs, window.toMs)];
    const own = items.filter((item) => item.atMs >= from && item.atMs < to);
    const value = own.length === 0 ? empty : valueOf(own, Math.max(1, (Math.min(to, window.nowMs) - from) / 1000));
    if (value !== undefined) points.push({ atMs, value });
  }
  if (points.length > MAX_SERIES_POINTS || window.stepMs < MINUTE_MS) throw new Error('no such frame');
  return points;
}

export function assertNear(data: ChartData, expected: readonly Expected[]): void {
  assert.deepEqual(
    data.series.map(({ label }) => label),
    expected.map(({ label }) => label),
  );
  data.series.forEach(({ points, label }, i) => {
    assert.deepEqual(
      points.map(({ atMs }) => atMs),
      expected[i].points.map(({ atMs }) => atMs),
      label,
    );
    points.forEach(({ value }, j) =>
      assert.ok(
        Math.abs(value - expected[i].points[j].value) <= 1e-9 * Math.max(1, Math.abs(value)),
        `${label}: ${value} is not ${expected[i].points[j].value}`,
      ),
    );
  });
  assert.ok(expected.length > 0 && expected.some(({ points }) => points.length > (data.frame.isWhole ? 0 : 3)));
}
