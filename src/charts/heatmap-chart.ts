import type { Plugin } from 'chart.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import { DURATION_BUCKETS, durationBucketEnd, listHeatmapRows } from '../diagnostics/duration-buckets.js';
import { withSavedState } from './canvas-text.js';
import { computeHeading, type Heading } from './chart-heading.js';
import { type ChartLayout, computeChartLayout } from './chart-layout.js';
import { type Palette, PALETTES, withOpacity } from './colour-palette.js';
import type { ChartRenderOptions } from './render-options.js';
import { buildTimeAxis } from './time-axis.js';
import { formatValue, groupThousands, parseUnit } from './value-units.js';
import type { Axis, Tick } from './value-axis.js';

/** How many spans of one step took how long. */
export interface HeatmapCell {
  /** Ends of the step within the window, ms since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Row from below, from 0. */
  readonly row: number;
  /** Of the fill, 0 to 1. */
  readonly opacity: number;
}

/** Everything that is decided before a heatmap is drawn. */
export interface HeatmapPlan {
  readonly layout: ChartLayout;
  readonly palette: Palette;
  readonly heading: Heading;
  readonly time: Axis;
  /** Its values are rows: 0 is the lower edge of the lowest one. */
  readonly durations: Axis;
  readonly cells: readonly HeatmapCell[];
}

const MIN_OPACITY = 0.12;
/** In multiples of the text size. */
const TIME_TICKS_APART = 8;
const ROW_TICKS_APART = 2.5;
const MILLISECONDS = parseUnit('ms');

/** Pure. The label of each series is the lower bound of its bucket in ms. The root makes few spans visible beside many. */
export function planHeatmap(picture: ChartRenderInput, options: ChartRenderOptions): HeatmapPlan {
  const { frame, series } = picture.data;
  const layout = computeChartLayout(options);
  const counted = series.flatMap(({ label, points }) =>
    points.flatMap(({ atMs, value }) => (value > 0 ? [{ bucket: bucketOf(label), atMs, value }] : [])),
  );
  const rows = listHeatmapRows(counted.map(({ bucket }) => bucket));
  const most = Math.max(0, ...counted.map(({ value }) => value));
  const total = counted.reduce((sum, { value }) => sum + value, 0);
  return {
    layout,
    palette: PALETTES[options.theme],
    heading: computeHeading(
      picture,
      layout,
      total === 0 ? '' : `${groupThousands(String(total))} spans`,
      options.panel,
    ),
    time: buildTimeAxis(frame, Math.max(1, layout.width / layout.textSize / TIME_TICKS_APART)),
    durations: buildDurationAxis(rows, Math.max(1, layout.height / layout.textSize / ROW_TICKS_APART / 2)),
    cells: counted.map(({ bucket, atMs, value }) => ({
      fromMs: Math.max(atMs, frame.fromMs),
      toMs: Math.min(atMs + frame.stepMs, frame.toMs),
      row: rows.indexOf(bucket),
      opacity: MIN_OPACITY + (1 - MIN_OPACITY) * Math.sqrt(value / most),
    })),
  };
}

function bucketOf(label: string): number {
  return Math.max(0, DURATION_BUCKETS.indexOf(Number(label)));
}

/** At most `count` ticks, at the lower edges of rows, and one at the upper edge of the last row. */
function buildDurationAxis(rows: readonly number[], count: number): Axis {
  const every = Math.max(1, Math.ceil(rows.length / count));
  const bounds = [...rows.map((row) => DURATION_BUCKETS[row]), ...rows.slice(-1).map(durationBucketEnd)];
  const ticks = bounds.flatMap((bound, row): Tick[] =>
    row % every === 0 ? [{ value: row, label: formatValue(bound, MILLISECONDS), strong: false }] : [],
  );
  return { min: 0, max: Math.max(1, rows.length), ticks };
}

/** Draws a rectangle for each cell; the more spans, the stronger. */
export function heatmapPlugin({ cells, palette }: HeatmapPlan): Plugin {
  return {
    id: 'heatmap',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (context) => {
        const { x, y } = chart.scales;
        for (const { fromMs, toMs, row, opacity } of cells) {
          const [left, right] = [x.getPixelForValue(fromMs), x.getPixelForValue(toMs)].map(Math.round);
          const [bottom, top] = [y.getPixelForValue(row), y.getPixelForValue(row + 1)].map(Math.round);
          context.fillStyle = withOpacity(palette.series[0], opacity);
          context.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top));
        }
      }),
  };
}
