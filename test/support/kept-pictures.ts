import assert from 'node:assert/strict';
import { headersOf, type TestApi } from './api.js';

/** What holds for every picture: caches of its reader may keep it, for good only where it cannot change any more. */
export async function assertKeptByItsReader(api: TestApi, path: string): Promise<void> {
  const names = ['cache-control', 'vary'] as const;
  assert.deepEqual(headersOf(await api.get(path), ...names), ['private, no-cache', 'Authorization, api-key']);
  api.charts.picture = { ...api.charts.picture, closed: true };
  assert.deepEqual(headersOf(await api.get(path), ...names), [
    'private, max-age=86400, immutable',
    'Authorization, api-key',
  ]);
}

/** Changes of the data that make another picture. */
export function otherValues({ charts }: TestApi): void {
  charts.data = {
    ...charts.data,
    series: charts.data.series.map((series) => ({ ...series, points: series.points.slice(1) })),
  };
}

export function otherTime({ charts }: TestApi): void {
  charts.data = { ...charts.data, frame: { ...charts.data.frame, toMs: charts.data.frame.toMs + 60_000 } };
}
