import assert from 'node:assert/strict';
import { headersOf, type TestApi } from './api.js';

/** Asserts that clients may cache the image, permanently only if it can no longer change. */
export async function assertCacheable(api: TestApi, path: string): Promise<void> {
  const names = ['cache-control', 'vary'] as const;
  assert.deepEqual(headersOf(await api.get(path), ...names), ['private, no-cache', 'Authorization, api-key']);
  api.charts.picture = { ...api.charts.picture, closed: true };
  assert.deepEqual(headersOf(await api.get(path), ...names), [
    'private, max-age=86400, immutable',
    'Authorization, api-key',
  ]);
}

/** Changes the values of the data, and therefore the image. */
export function changeValues({ charts }: TestApi): void {
  charts.data = {
    ...charts.data,
    series: charts.data.series.map((series) => ({ ...series, points: series.points.slice(1) })),
  };
}

/** Changes the time range of the data, and therefore the image. */
export function changeTime({ charts }: TestApi): void {
  charts.data = { ...charts.data, frame: { ...charts.data.frame, toMs: charts.data.frame.toMs + 60_000 } };
}
