import type { ChartPoint } from '../diagnostics/chart-series/chart-series.js';
import type { ChartRenderInput, DeploymentMarker } from '../queries/charts/chart-query-types.js';
import { dashPattern, buildDatasets, type ChartDatasets } from './chart-datasets.js';
import { computeHeading, type Heading } from './chart-heading.js';
import { computeChartLayout, type ChartLayout } from './chart-layout.js';
import { computeLegend, type Legend, type LegendItem } from './chart-legend.js';
import type { ChartRenderOptions } from './render-options.js';
import { colourIndex, type Palette, PALETTES, seriesColour } from './colour-palette.js';
import { sanitizeText, truncateEnd } from './chart-text.js';
import { extendRangeToThresholds } from './chart-thresholds.js';
import { buildTimeAxis } from './time-axis.js';
import { parseUnit, formatValue, type Unit } from './value-units.js';
import { buildApdexAxis, buildValueAxis, type Axis, type ValueRange } from './value-axis.js';

/** Everything that is decided before drawing: truncated texts, ticks, colours, and the space for each element. */
export interface ChartPlan extends Pick<ChartDatasets, 'datasets'> {
  readonly layout: ChartLayout;
  readonly palette: Palette;
  readonly heading: Heading;
  /** Unit of the value axis; "" if the tick labels include it. */
  readonly caption: string;
  readonly legend: Legend;
  /** Only those within the chart's range. */
  readonly deployments: readonly DeploymentMarker[];
  readonly isEmpty: boolean;
  readonly time: Axis;
  readonly values: Axis;
  /** Pixels above and below the chart area including its axes. */
  readonly top: number;
  readonly bottom: number;
}

/** In multiples of the text size. */
const STRIP = 2.2;
const NO_STRIP = 1.2;
const CAPTION = 14;
const VALUE_LABELS = 5;
const TIME_LABELS = 3;
const TIME_TICKS_APART = 6;
const VALUE_TICKS_APART = 3;

/** More grid lines would be cluttered; 16 ticks still allow one per day. */
const MAX_TICKS = { time: 16, values: 9 };

/** Pure. Texts fit for any picture and options. */
export function planChart(picture: ChartRenderInput, options: ChartRenderOptions): ChartPlan {
  const layout = computeChartLayout(options);
  const unit = parseUnit(sanitizeText(picture.data.unit));
  const { datasets, range } = buildDatasets(picture, options, layout.scale);
  const isEmpty = picture.data.series.every(({ points }) => points.length === 0);
  const items = buildLegendItems(picture, unit, options, layout.scale);
  // A single series needs no legend; its peak is shown in the subtitle.
  const isAlone = items.length === 1 && picture.chart.groupBy === '';
  const legend = computeLegend(isAlone ? [] : items, layout);
  const unitName =
    layout.showsLabels && !isEmpty ? truncateEnd(unit.name, CAPTION * layout.textSize, layout.textSize) : '';
  const peak = isAlone ? items[0].value : '';
  // In a panel the unit goes into the subtitle; a separate strip would be a third line.
  const [extra, caption] = options.panel === undefined ? [peak, unitName] : [peak || unitName, ''];
  const heading = computeHeading(picture, layout, extra, options.panel);
  const deployments = deploymentsWithin(picture);
  const top = heading.height + spaceAbove(caption !== '' || deployments.length > 0, layout);
  const bottom = legend.height + (legend.height === 0 && layout.showsTicks ? layout.padding / 2 : layout.padding);
  return {
    layout,
    palette: PALETTES[options.theme],
    datasets,
    heading,
    caption,
    legend,
    deployments,
    isEmpty,
    top,
    bottom,
    time: buildTimeAxis(picture.data.frame, maxTimeTicks(layout)),
    values: selectValueAxis(picture, range, unit, maxValueTicks(layout, top + bottom)),
  };
}

function spaceAbove(hasStrip: boolean, { padding, textSize, showsLabels }: ChartLayout): number {
  return padding + textSize * (hasStrip && showsLabels ? STRIP : NO_STRIP);
}

function deploymentsWithin({ data: { frame }, deployments }: ChartRenderInput): DeploymentMarker[] {
  return deployments.filter(({ atMs }) => atMs >= frame.fromMs && atMs <= frame.toMs);
}

function maxTimeTicks({ width, textSize }: ChartLayout): number {
  return Math.max(1, Math.min(MAX_TICKS.time, (width / textSize - VALUE_LABELS) / TIME_TICKS_APART));
}

function maxValueTicks({ height, textSize }: ChartLayout, taken: number): number {
  return Math.max(
    1,
    Math.min(MAX_TICKS.values, Math.floor(((height - taken) / textSize - TIME_LABELS) / VALUE_TICKS_APART)),
  );
}

function selectValueAxis({ chart, thresholds }: ChartRenderInput, range: ValueRange, unit: Unit, count: number): Axis {
  return chart.metric === 'apdex'
    ? buildApdexAxis(count)
    : buildValueAxis(extendRangeToThresholds(range, thresholds), unit, count);
}

/** Legend entries with the worst value of each series. */
function buildLegendItems(
  { chart, data }: ChartRenderInput,
  unit: Unit,
  options: ChartRenderOptions,
  scale: number,
): LegendItem[] {
  return data.series.map(({ label, points }, index) => ({
    label: sanitizeText(label) || '(empty)',
    value: formatWorstValue(points, chart.metric === 'apdex', unit),
    colour: seriesColour(label, colourIndex(label, index, options), chart.groupBy, options.theme),
    dash: chart.chartType === 'line' ? dashPattern(colourIndex(label, index, options), options.theme, scale) : [],
  }));
}

function formatWorstValue(points: readonly ChartPoint[], lowIsWorst: boolean, unit: Unit): string {
  let [least, most] = [Infinity, -Infinity];
  for (const { value } of points) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) return '';
  return lowIsWorst || (most <= 0 && least < 0) ? `min ${formatValue(least, unit)}` : `max ${formatValue(most, unit)}`;
}
