import { createHash } from 'node:crypto';
import type { ChartWindow, ChartSeries } from '../../diagnostics/chart-series/chart-series.js';
import type { ChartPicture, PackedPicture } from './chart-query-types.js';

/** A picture whose points stand elsewhere: of each series so many, behind those of the series before. */
interface PackedJson extends Omit<ChartPicture, 'data' | 'closed'> {
  readonly data: Omit<ChartPicture['data'], 'frame' | 'series'> & { readonly series: readonly PackedPictureSeries[] };
}

type PackedPictureSeries = Omit<ChartSeries, 'points'> & { readonly count: number };

/** Without its frame, and whether it can change: so the digest tells of what is shown, and not of when that was asked for. */
export function packPicture({ data: { frame: _, series, ...data }, closed, ...picture }: ChartPicture): PackedPicture {
  const counted = series.map(({ points, ...one }): PackedPictureSeries => ({ ...one, count: points.length }));
  const sealed = JSON.stringify({ ...picture, data: { ...data, series: counted } } satisfies PackedJson);
  const points = packPoints(series);
  return { sealed, points, digest: createHash('sha256').update(sealed).update(points).digest('base64url'), closed };
}

/** What was sealed, within the frame of its dashboard. */
export function unpackPicture({ sealed, points, closed }: PackedPicture, frame: ChartWindow): ChartPicture {
  const { data, ...picture } = JSON.parse(sealed) as PackedJson;
  let at = 0;
  const series = data.series.map(({ count, ...one }): ChartSeries => ({
    ...one,
    points: Array.from({ length: count }, () => ({ atMs: points[at++], value: points[at++] })),
  }));
  return { ...picture, data: { ...data, series, frame }, closed };
}

function packPoints(series: readonly ChartSeries[]): Float64Array {
  const numbers = new Float64Array(2 * series.reduce((sum, { points }) => sum + points.length, 0));
  let at = 0;
  for (const { points } of series) {
    for (const { atMs, value } of points) {
      numbers[at++] = atMs;
      numbers[at++] = value;
    }
  }
  return numbers;
}
