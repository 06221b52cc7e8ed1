import type { ChartPoint } from '../diagnostics/chart-series/answer.js';
import type { ChartPicture, DeploymentMarker } from '../queries/charts/questions.js';
import { dashOf, drawnSeries, type Drawn } from './datasets.js';
import { headingOf, type Heading } from './heading.js';
import { layoutOf, type Layout } from './layout.js';
import { legendOf, type Legend, type LegendItem } from './legend.js';
import type { Look } from './look.js';
import { PALETTES, seriesColour, type Palette } from './palette.js';
import { placeOf } from './shared-places.js';
import { cleaned, cutEnd } from './text.js';
import { withThresholds } from './thresholds.js';
import { timeAxis } from './time-axis.js';
import { unitOf, valueText, type Unit } from './units.js';
import { apdexAxis, valueAxis, type Axis, type Range } from './value-axis.js';

/** All that is decided about a picture before anything is drawn: texts that fit, ticks, colours, and the space for each part. */
export interface Plan extends Pick<Drawn, 'datasets'> {
  readonly layout: Layout;
  readonly palette: Palette;
  readonly heading: Heading;
  /** What the value axis counts; "" where its ticks say so. */
  readonly caption: string;
  readonly legend: Legend;
  /** Within the chart's range. */
  readonly deployments: readonly DeploymentMarker[];
  readonly isEmpty: boolean;
  readonly time: Axis;
  readonly values: Axis;
  /** Pixels above and below the chart and its axes. */
  readonly top: number;
  readonly bottom: number;
}

/** In multiples of the size of the text. */
const STRIP = 2.2;
const NO_STRIP = 1.2;
const CAPTION = 14;
const VALUE_LABELS = 5;
const TIME_LABELS = 3;
const TIME_TICKS_APART = 6;
const VALUE_TICKS_APART = 3;

/** More lines would be a pattern; a bar of a day shows its day. */
const MOST_TICKS = { time: 16, values: 9 };

/** Pure; whatever the picture and the look say, every text fits. */
export function planOf(picture: ChartPicture, look: Look): Plan {
  const layout = layoutOf(look);
  const unit = unitOf(cleaned(picture.data.unit));
  const { datasets, range } = drawnSeries(picture, look, layout.scale);
  const isEmpty = picture.data.series.every(({ points }) => points.length === 0);
  const items = legendItems(picture, unit, look, layout.scale);
  // One line needs no name beside the title; how high it went is told there.
  const isAlone = items.length === 1 && picture.chart.groupBy === '';
  const legend = legendOf(isAlone ? [] : items, layout);
  const measure = layout.showsLabels && !isEmpty ? cutEnd(unit.name, CAPTION * layout.textSize, layout.textSize) : '';
  const peak = isAlone ? items[0].value : '';
  // Below the title of a part there is room for it; a strip of its own would be a third line.
  const [beside, caption] = look.part === undefined ? [peak, measure] : [peak || measure, ''];
  const heading = headingOf(picture, layout, beside, look.part);
  const deployments = deploymentsWithin(picture);
  const top = heading.height + spaceAbove(caption !== '' || deployments.length > 0, layout);
  const bottom = legend.height + (legend.height === 0 && layout.showsTicks ? layout.padding / 2 : layout.padding);
  return {
    layout, palette: PALETTES[look.theme], datasets, heading, caption, legend, deployments, isEmpty, top, bottom,
    time: timeAxis(picture.data.frame, timeTicks(layout)),
    values: valueAxisOf(picture, range, unit, valueTicks(layout, top + bottom)),
  };
}

function spaceAbove(hasStrip: boolean, { padding, textSize, showsLabels }: Layout): number {
  return padding + textSize * (hasStrip && showsLabels ? STRIP : NO_STRIP);
}

function deploymentsWithin({ data: { frame }, deployments }: ChartPicture): DeploymentMarker[] {
  return deployments.filter(({ atMs }) => atMs >= frame.fromMs && atMs <= frame.toMs);
}

function timeTicks({ width, textSize }: Layout): number {
  return Math.max(1, Math.min(MOST_TICKS.time, (width / textSize - VALUE_LABELS) / TIME_TICKS_APART));
}

function valueTicks({ height, textSize }: Layout, taken: number): number {
  return Math.max(1, Math.min(MOST_TICKS.values, Math.floor(((height - taken) / textSize - TIME_LABELS) / VALUE_TICKS_APART)));
}

function valueAxisOf({ chart, thresholds }: ChartPicture, range: Range, unit: Unit, count: number): Axis {
  return chart.metric === 'apdex' ? apdexAxis(count) : valueAxis(withThresholds(range, thresholds), unit, count);
}

/** Each series with what was worst of it. */
function legendItems({ chart, data }: ChartPicture, unit: Unit, look: Look, scale: number): LegendItem[] {
  return data.series.map(({ label, points }, index) => ({
    label: cleaned(label) || '(empty)',
    value: worstOf(points, chart.metric === 'apdex', unit),
    colour: seriesColour(label, placeOf(label, index, look), chart.groupBy, look.theme),
    dash: chart.chartType === 'line' ? dashOf(placeOf(label, index, look), look.theme, scale) : [],
  }));
}

function worstOf(points: readonly ChartPoint[], leastIsWorst: boolean, unit: Unit): string {
  let [least, most] = [Infinity, -Infinity];
  for (const { value } of points) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) return '';
  return leastIsWorst || (most <= 0 && least < 0) ? `min ${valueText(least, unit)}` : `max ${valueText(most, unit)}`;
}
