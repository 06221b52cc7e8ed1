import type { ChartDataset, Point } from 'chart.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import type { Look, Theme } from './look.js';
import { PALETTES, seriesColour, translucent } from './palette.js';
import { barRange, bridged, isRunning, lonely, middleOf, rangeOf, shapeOf, stacked, type Shape, type ShapedSeries } from './shape.js';
import { placeOf } from './shared-places.js';
import type { Range } from './value-axis.js';

type Dataset = ChartDataset<'line' | 'bar', Point[]>;
type LineDataset = Dataset & { type: 'line' };

/** What chart.js draws, and the values that its axis has to hold. */
export interface Drawn {
  readonly datasets: Dataset[];
  readonly range: Range;
}

const RUNNING_DASH = [4, 4];
const PALE = 0.4;
const STACKED_FILL = 0.7;
const SINGLE_FILL = 0.22;
/** Several fills lie over one another: each must let the others through. */
const OVERLAID_FILL = 0.1;
/** Of the width of a step. */
const BAR_SHARE = 0.82;
/** Pixels of a step from which on there is a space between bars; between narrower ones it would flicker. */
const SLIM = 7;
/** Of series whose colours were there before. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2]];

/** `scale`: of lines, dashes and dots; see Layout. */
export function drawnSeries(picture: ChartPicture, look: Look, scale: number): Drawn {
  const shape = shapeOf(picture.data);
  return picture.chart.chartType === 'bar' ? bars(picture, look, shape, scale) : lines(picture, look, shape, scale);
}

/** Dashes of the series at a place, in pixels. */
export function dashOf(index: number, theme: Theme, scale: number): number[] {
  return DASHES[Math.floor(index / PALETTES[theme].series.length) % DASHES.length].map((length) => length * scale);
}

function lines({ chart, data }: ChartPicture, look: Look, { steps, series }: Shape, scale: number): Drawn {
  const plain = series.map(({ label, values }) => ({ label, values: bridged(values, data.frame.stepMs) }));
  const piled = chart.chartType === 'area' && data.additive && series.length > 1;
  const shown = piled ? stacked(plain) : plain;
  const xs = steps.map((step) => middleOf(step, data.frame));
  const isSplit = steps.length > 1 && isRunning(steps[steps.length - 1], data.frame);
  const fill = fillOf(piled, series.length);
  const datasets = shown.flatMap((one, index): LineDataset[] => {
    const place = placeOf(one.label, index, look);
    const colour = seriesColour(one.label, place, chart.groupBy, look.theme);
    const line: LineDataset = {
      type: 'line',
      label: one.label,
      data: pointsOf(xs, one),
      borderColor: colour,
      borderWidth: (piled ? 1 : lineWidth(series.length)) * scale,
      borderDash: dashOf(place, look.theme, scale),
      borderJoinStyle: 'round',
      // A line along the edge is as wide as elsewhere.
      clip: lineWidth(series.length) * scale,
      backgroundColor: translucent(colour, fill),
      fill: chart.chartType === 'area' && (piled && index > 0 ? (isSplit ? '-2' : '-1') : 'origin'),
      ...dots(one.values, colour, scale),
    };
    return isSplit ? split(line, translucent(colour, fill * PALE), scale) : [line];
  });
  return { datasets, range: rangeOf(shown) };
}

/**
 * The way to the last value, which is not final, dashed and filled with less, and the line up to there, which is drawn first.
 * As one line with a style for the last piece chart.js would compare the styles of all pieces, for a fifth of a picture's time.
 */
function split(line: LineDataset, pale: string, scale: number): LineDataset[] {
  const { data, pointRadius } = line;
  const last = data.length - 1;
  const radii = Array.isArray(pointRadius) ? pointRadius : undefined;
  return [
    { ...line, data: data.slice(last - 1), borderDash: RUNNING_DASH.map((length) => length * scale), backgroundColor: pale, ...(radii && { pointRadius: [0, radii[last]] }) },
    { ...line, data: data.slice(0, last), ...(radii && { pointRadius: radii.slice(0, last) }) },
  ];
}

function pointsOf(xs: readonly number[], { values }: ShapedSeries): Point[] {
  return values.map((y, index) => ({ x: xs[index], y }));
}

function lineWidth(series: number): number {
  return series <= 5 ? 2 : series <= 12 ? 1.6 : 1.2;
}

function fillOf(piled: boolean, series: number): number {
  return piled ? STACKED_FILL : series === 1 ? SINGLE_FILL : OVERLAID_FILL;
}

/** A list of radii costs chart.js a look-up for each point: only where a value stands alone. */
function dots(values: readonly number[], colour: string, scale: number): Pick<ChartDataset<'line'>, 'pointRadius' | 'pointBackgroundColor' | 'pointBorderWidth'> {
  const alone = lonely(values);
  return { pointRadius: alone.includes(true) ? alone.map((is) => (is ? 2.2 * scale : 0)) : 0, pointBackgroundColor: colour, pointBorderWidth: 0 };
}

function bars({ chart, data }: ChartPicture, look: Look, { steps, series }: Shape, scale: number): Drawn {
  const xs = steps.map((step) => step + data.frame.stepMs / 2);
  const isSlim = look.width / steps.length < SLIM * scale;
  const datasets = series.map((one, index): Dataset => {
    const colour = seriesColour(one.label, placeOf(one.label, index, look), chart.groupBy, look.theme);
    const pale = translucent(colour, PALE);
    return {
      type: 'bar',
      label: one.label,
      data: pointsOf(xs, one),
      backgroundColor: steps.some((step) => isRunning(step, data.frame)) ? steps.map((step) => (isRunning(step, data.frame) ? pale : colour)) : colour,
      categoryPercentage: isSlim ? 1 : BAR_SHARE,
      barPercentage: 1,
      // A little over one another, or the background would shine through the smoothed edges of bars without a space between them.
      inflateAmount: isSlim ? 'auto' : 0,
    };
  });
  return { datasets, range: data.additive ? barRange(series) : rangeOf(series) };
}
