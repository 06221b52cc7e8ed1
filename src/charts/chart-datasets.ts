import type { ChartDataset, Point } from 'chart.js';
import type { ChartPicture } from '../queries/charts/chart-query-types.js';
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

/** What chart.js draws, and the values that its axis has to hold. */
export interface ChartDatasets {
  readonly datasets: Dataset[];
  readonly range: ValueRange;
}

const RUNNING_DASH = [4, 4];
const RUNNING_OPACITY = 0.4;
const STACKED_FILL = 0.7;
const SINGLE_FILL = 0.22;
/** Several fills lie over one another: each must let the others through. */
const OVERLAID_FILL = 0.1;
/** Of the width of a step. */
const BAR_FRACTION = 0.82;
/** Pixels of a step from which on there is a space between bars; between narrower ones it would flicker. */
const MIN_SPACED_STEP_PIXELS = 7;
/** Of series whose colours were there before. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2]];

/** `scale`: of lines, dashes and dots; see Layout. */
export function buildDatasets(picture: ChartPicture, look: ChartRenderOptions, scale: number): ChartDatasets {
  const shape = buildSeriesTable(picture.data);
  return picture.chart.chartType === 'bar'
    ? buildBarDatasets(picture, look, shape, scale)
    : buildLineDatasets(picture, look, shape, scale);
}

/** Dashes of the series at a place, in pixels. */
export function dashPattern(index: number, theme: Theme, scale: number): number[] {
  return DASHES[Math.floor(index / PALETTES[theme].series.length) % DASHES.length].map((length) => length * scale);
}

function buildLineDatasets(
  { chart, data }: ChartPicture,
  look: ChartRenderOptions,
  { steps, series }: SeriesTable,
  scale: number,
): ChartDatasets {
  const plain = series.map(({ label, values }) => ({ label, values: bridgeShortGaps(values, data.frame.stepMs) }));
  const piled = chart.chartType === 'area' && data.additive && series.length > 1;
  const shown = piled ? stackSeries(plain) : plain;
  const xs = steps.map((step) => stepMidpoint(step, data.frame));
  const isSplit = steps.length > 1 && isStepRunning(steps[steps.length - 1], data.frame);
  const fill = fillOpacity(piled, series.length);
  const datasets = shown.flatMap((one, index): LineDataset[] => {
    const place = colourIndex(one.label, index, look);
    const colour = seriesColour(one.label, place, chart.groupBy, look.theme);
    const line: LineDataset = {
      type: 'line',
      label: one.label,
      data: toPoints(xs, one),
      borderColor: colour,
      borderWidth: (piled ? 1 : lineWidth(series.length)) * scale,
      borderDash: dashPattern(place, look.theme, scale),
      borderJoinStyle: 'round',
      // A line along the edge is as wide as elsewhere.
      clip: lineWidth(series.length) * scale,
      backgroundColor: withOpacity(colour, fill),
      fill: chart.chartType === 'area' && (piled && index > 0 ? (isSplit ? '-2' : '-1') : 'origin'),
      ...isolatedPointStyle(one.values, colour, scale),
    };
    return isSplit ? splitRunningStep(line, withOpacity(colour, fill * RUNNING_OPACITY), scale) : [line];
  });
  return { datasets, range: valueRange(shown) };
}

/**
 * The way to the last value, which is not final, dashed and filled with less, and the line up to there, which is drawn first.
 * As one line with a style for the last piece chart.js would compare the styles of all pieces, for a fifth of a picture's time.
 */
function splitRunningStep(line: LineDataset, pale: string, scale: number): LineDataset[] {
  const { data, pointRadius } = line;
  const last = data.length - 1;
  const radii = Array.isArray(pointRadius) ? pointRadius : undefined;
  return [
    {
      ...line,
      data: data.slice(last - 1),
      borderDash: RUNNING_DASH.map((length) => length * scale),
      backgroundColor: pale,
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

function fillOpacity(piled: boolean, series: number): number {
  return piled ? STACKED_FILL : series === 1 ? SINGLE_FILL : OVERLAID_FILL;
}

/** A list of radii costs chart.js a look-up for each point: only where a value stands alone. */
function isolatedPointStyle(
  values: readonly number[],
  colour: string,
  scale: number,
): Pick<ChartDataset<'line'>, 'pointRadius' | 'pointBackgroundColor' | 'pointBorderWidth'> {
  const alone = findIsolatedValues(values);
  return {
    pointRadius: alone.includes(true) ? alone.map((is) => (is ? 2.2 * scale : 0)) : 0,
    pointBackgroundColor: colour,
    pointBorderWidth: 0,
  };
}

function buildBarDatasets(
  { chart, data }: ChartPicture,
  look: ChartRenderOptions,
  { steps, series }: SeriesTable,
  scale: number,
): ChartDatasets {
  const xs = steps.map((step) => step + data.frame.stepMs / 2);
  const isSlim = look.width / steps.length < MIN_SPACED_STEP_PIXELS * scale;
  const datasets = series.map((one, index): Dataset => {
    const colour = seriesColour(one.label, colourIndex(one.label, index, look), chart.groupBy, look.theme);
    const pale = withOpacity(colour, RUNNING_OPACITY);
    return {
      type: 'bar',
      label: one.label,
      data: toPoints(xs, one),
      backgroundColor: steps.some((step) => isStepRunning(step, data.frame))
        ? steps.map((step) => (isStepRunning(step, data.frame) ? pale : colour))
        : colour,
      categoryPercentage: isSlim ? 1 : BAR_FRACTION,
      barPercentage: 1,
      // A little over one another, or the background would shine through the smoothed edges of bars without a space between them.
      inflateAmount: isSlim ? 'auto' : 0,
    };
  });
  return { datasets, range: data.additive ? stackedBarRange(series) : valueRange(series) };
}
