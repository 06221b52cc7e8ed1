import type { ChartDataset, Point } from 'chart.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import type { ChartRenderOptions, Theme } from './render-options.js';
import { colourIndex, PALETTES, seriesColour, withOpacity } from './colour-palette.js';
import {
  stackedBarRange,
  bridgeShortGaps,
  isStepRunning,
  findIsolatedValues,
  stepMidpoint,
  valueRange,
  buildSeriesTable,
  stackSeries,
  type SeriesTable,
  type StepValues,
} from './series-table.js';
import type { ValueRange } from './value-axis.js';

type Dataset = ChartDataset<'line' | 'bar', Point[]>;
type LineDataset = Dataset & { type: 'line' };

/** chart.js datasets, and the value range that the axis must cover. */
export interface ChartDatasets {
  readonly datasets: Dataset[];
  readonly range: ValueRange;
}

const RUNNING_DASH = [4, 4];
const RUNNING_OPACITY = 0.4;
const STACKED_FILL = 0.7;
const SINGLE_FILL = 0.22;
/** Fills overlap, so each must be nearly transparent. */
const OVERLAID_FILL = 0.1;
/** Fraction of a step's width. */
const BAR_FRACTION = 0.82;
/** Minimum step width in pixels for a space between bars; narrower spaces would flicker. */
const MIN_SPACED_STEP_PIXELS = 7;
/** Dash patterns: one per round through the palette, so that repeated colours stay distinguishable. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2]];

/** `scale` applies to lines, dashes and dots; see ChartLayout. */
export function buildDatasets(picture: ChartRenderInput, options: ChartRenderOptions, scale: number): ChartDatasets {
  const table = buildSeriesTable(picture.data);
  return picture.chart.chartType === 'bar'
    ? buildBarDatasets(picture, options, table, scale)
    : buildLineDatasets(picture, options, table, scale);
}

/** Dash pattern of the series at this index, in pixels. */
export function dashPattern(index: number, theme: Theme, scale: number): number[] {
  return DASHES[Math.floor(index / PALETTES[theme].series.length) % DASHES.length].map((length) => length * scale);
}

function buildLineDatasets(
  { chart, data }: ChartRenderInput,
  options: ChartRenderOptions,
  { steps, series }: SeriesTable,
  scale: number,
): ChartDatasets {
  const plain = series.map(({ label, values }) => ({ label, values: bridgeShortGaps(values, data.frame.stepMs) }));
  const stacked = chart.chartType === 'area' && data.additive && series.length > 1;
  const shown = stacked ? stackSeries(plain) : plain;
  const xs = steps.map((step) => stepMidpoint(step, data.frame));
  const isSplit = steps.length > 1 && isStepRunning(steps[steps.length - 1], data.frame);
  const fill = fillOpacity(stacked, series.length);
  const datasets = shown.flatMap((one, index): LineDataset[] => {
    const place = colourIndex(one.label, index, options);
    const colour = seriesColour(one.label, place, chart.groupBy, options.theme);
    const line: LineDataset = {
      type: 'line',
      label: one.label,
      data: toPoints(xs, one),
      borderColor: colour,
      borderWidth: (stacked ? 1 : lineWidth(series.length)) * scale,
      borderDash: dashPattern(place, options.theme, scale),
      borderJoinStyle: 'round',
      // Lines along the edge are not cut to half their width.
      clip: lineWidth(series.length) * scale,
      backgroundColor: withOpacity(colour, fill),
      fill: chart.chartType === 'area' && (stacked && index > 0 ? (isSplit ? '-2' : '-1') : 'origin'),
      ...isolatedPointStyle(one.values, colour, scale),
    };
    return isSplit ? splitRunningStep(line, withOpacity(colour, fill * RUNNING_OPACITY), scale) : [line];
  });
  return { datasets, range: valueRange(shown) };
}

/**
 * Splits off the segment to the last value, which is not final: it is dashed and has a paler fill. A per-segment
 * style on one line would make chart.js compare the styles of all segments, which takes a fifth of the drawing time.
 */
function splitRunningStep(line: LineDataset, paleFill: string, scale: number): LineDataset[] {
  const { data, pointRadius } = line;
  const last = data.length - 1;
  const radii = Array.isArray(pointRadius) ? pointRadius : undefined;
  return [
    {
      ...line,
      data: data.slice(last - 1),
      borderDash: RUNNING_DASH.map((length) => length * scale),
      backgroundColor: paleFill,
      ...(radii && { pointRadius: [0, radii[last]] }),
    },
    { ...line, data: data.slice(0, last), ...(radii && { pointRadius: radii.slice(0, last) }) },
  ];
}

function toPoints(xs: readonly number[], { values }: StepValues): Point[] {
  return values.map((y, index) => ({ x: xs[index], y }));
}

function lineWidth(series: number): number {
  return series <= 5 ? 2 : series <= 12 ? 1.6 : 1.2;
}

function fillOpacity(stacked: boolean, series: number): number {
  return stacked ? STACKED_FILL : series === 1 ? SINGLE_FILL : OVERLAID_FILL;
}

/** Sets radii per point only if there are isolated values: a list costs chart.js a lookup per point. */
function isolatedPointStyle(
  values: readonly number[],
  colour: string,
  scale: number,
): Pick<ChartDataset<'line'>, 'pointRadius' | 'pointBackgroundColor' | 'pointBorderWidth'> {
  const isolated = findIsolatedValues(values);
  return {
    pointRadius: isolated.includes(true) ? isolated.map((is) => (is ? 2.2 * scale : 0)) : 0,
    pointBackgroundColor: colour,
    pointBorderWidth: 0,
  };
}

function buildBarDatasets(
  { chart, data }: ChartRenderInput,
  options: ChartRenderOptions,
  { steps, series }: SeriesTable,
  scale: number,
): ChartDatasets {
  const xs = steps.map((step) => step + data.frame.stepMs / 2);
  const isSlim = options.width / steps.length < MIN_SPACED_STEP_PIXELS * scale;
  const datasets = series.map((one, index): Dataset => {
    const colour = seriesColour(one.label, colourIndex(one.label, index, options), chart.groupBy, options.theme);
    const paleFill = withOpacity(colour, RUNNING_OPACITY);
    return {
      type: 'bar',
      label: one.label,
      data: toPoints(xs, one),
      backgroundColor: steps.some((step) => isStepRunning(step, data.frame))
        ? steps.map((step) => (isStepRunning(step, data.frame) ? paleFill : colour))
        : colour,
      categoryPercentage: isSlim ? 1 : BAR_FRACTION,
      barPercentage: 1,
      // Bars without a space overlap slightly, otherwise the background would show through their antialiased edges.
      inflateAmount: isSlim ? 'auto' : 0,
    };
  });
  return { datasets, range: data.additive ? stackedBarRange(series) : valueRange(series) };
}
