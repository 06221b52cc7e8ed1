import { createHash } from 'node:crypto';
import type { ChartWindow, ChartSeries } from '../../diagnostics/chart-series/chart-series.js';
import { divideWindow } from '../../diagnostics/chart-series/chart-window.js';
import type { ChartRenderInput, PackedChart } from './chart-query-types.js';

/**
 * JSON part of a packed picture: each series has the count of its points, which follow those of the previous series
 * in the array.
 */
interface PackedJson extends Omit<ChartRenderInput, 'data' | 'closed'> {
  readonly data: Omit<ChartRenderInput['data'], 'frame' | 'series'> & {
    readonly series: readonly PackedPictureSeries[];
  };
}

type PackedPictureSeries = Omit<ChartSeries, 'points'> & { readonly count: number };

/** Leaves out the frame and `closed`, so that the digest depends only on the content, not on the time of the query. */
export function packChart({ data: { frame: _, series, ...data }, closed, ...picture }: ChartRenderInput): PackedChart {
  const packedSeries = series.map(({ points, ...rest }): PackedPictureSeries => ({ ...rest, count: points.length }));
  const sealed = JSON.stringify({ ...picture, data: { ...data, series: packedSeries } } satisfies PackedJson);
  const points = packPoints(series);
  const digest = createHash('sha256').update(sealed).update(points).digest('base64url');
  return { sealed, points, digest, closed, ...(data.unansweredFromMs !== undefined && { isUnanswered: true }) };
}

/** Inverse of packChart, within the frame of the dashboard. */
export function unpackChart(
  { sealed, points, closed }: Pick<PackedChart, 'sealed' | 'points' | 'closed'>,
  frame: ChartWindow,
): ChartRenderInput {
  const { data, ...picture } = JSON.parse(sealed) as PackedJson;
  let at = 0;
  const series = data.series.map(({ count, ...rest }): ChartSeries => ({
    ...rest,
    points: Array.from({ length: count }, () => ({ atMs: points[at++], value: points[at++] })),
  }));
  return { ...picture, data: { ...data, series, frame: divideWindow(frame, picture.chart.chartType) }, closed };
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
