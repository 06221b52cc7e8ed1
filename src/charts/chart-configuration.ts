import type { ChartConfiguration, Plugin } from 'chart.js';
import type { ChartPicture, DeploymentMarker } from '../queries/charts/questions.js';
import { dashOf, drawnSeries } from './datasets.js';
import { headingOf } from './heading.js';
import { layoutOf, type Layout } from './layout.js';
import { legendOf, type LegendItem } from './legend.js';
import type { Look } from './look.js';
import { PALETTES, seriesColour } from './palette.js';
import { backdrop } from './plugins/backdrop.js';
import { deploymentPlugin } from './plugins/deployment-plugin.js';
import { emptyNote } from './plugins/empty-note.js';
import { headingPlugin } from './plugins/heading-plugin.js';
import { legendPlugin } from './plugins/legend-plugin.js';
import { thresholdPlugin } from './plugins/threshold-plugin.js';
import { timeScale, valueScale } from './scales.js';
import { cleaned, cutEnd, textWidth } from './text.js';
import { withThresholds } from './thresholds.js';
import { timeAxis } from './time-axis.js';
import { told, unitOf, type Unit } from './units.js';
import { apdexAxis, valueAxis, type Axis, type Range } from './value-axis.js';

/** In multiples of the size of the text. */
const STRIP = 1.7;
const TIME_TICKS_APART = 6;
const VALUE_TICKS_APART = 3.6;
const VALUE_LABELS = 5;

/**
 * What chart.js is to draw, background included; a pixel of the look is a pixel of the canvas. The renderer sets
 * `defaults.font.family`, and `defaults.devicePixelRatio` to 1.
 */
export function chartConfiguration(picture: ChartPicture, look: Look): ChartConfiguration {
  const layout = layoutOf(look);
  const palette = PALETTES[look.theme];
  const { chart, data } = picture;
  const unit = unitOf(cleaned(data.unit));
  const { datasets, range } = drawnSeries(picture, look, layout.scale);
  const isEmpty = data.series.every(({ points }) => points.length === 0);
  const items = legendItems(picture, unit, look, layout.scale);
  const isAlone = items.length === 1 && chart.groupBy === '';
  const legend = legendOf(isAlone ? [] : items, layout);
  const heading = headingOf(picture, layout, isAlone ? items[0].value : '');
  const caption = layout.showsTicks && !isEmpty ? cutEnd(unit.name, 14 * layout.textSize, layout.textSize) : '';
  const deployments = deploymentsWithin(picture);
  const top = heading.height + spaceAbove(caption !== '' || deployments.length > 0, layout);
  const bottom = legend.height + (legend.height === 0 && layout.showsTicks ? layout.padding / 2 : layout.padding);
  const axis = valueAxisOf(picture, range, unit, (layout.height - top - bottom) / layout.textSize - 3);
  const plugins: Plugin[] = [
    backdrop(palette.background),
    headingPlugin(heading, caption, layout, palette),
    legendPlugin(legend, layout, palette),
    deploymentPlugin(deployments, caption === '' ? 0 : layout.padding + textWidth(caption, layout.textSize) + layout.textSize, layout, palette),
    isEmpty ? emptyNote(data.hint ?? '', layout, palette) : thresholdPlugin(picture.thresholds, layout, palette),
  ];
  return {
    type: chart.chartType === 'bar' ? 'bar' : 'line',
    data: { datasets },
    options: {
      responsive: false,
      animation: false,
      events: [],
      parsing: false,
      normalized: true,
      layout: { padding: { top, bottom, left: layout.padding, right: layout.padding } },
      plugins: { title: { display: false }, legend: { display: false }, tooltip: { enabled: false }, filler: { propagate: false } },
      scales: {
        x: timeScale(timeAxis(data.frame, (layout.width / layout.textSize - VALUE_LABELS) / TIME_TICKS_APART), layout, palette),
        y: { ...valueScale(axis, chart.chartType === 'bar' && data.additive, layout, palette), display: !isEmpty },
      },
    },
    plugins,
  };
}

function spaceAbove(hasStrip: boolean, { padding, textSize, showsTicks }: Layout): number {
  return padding + textSize * (hasStrip && showsTicks ? STRIP : 0.6);
}

function deploymentsWithin({ data: { frame }, deployments }: ChartPicture): DeploymentMarker[] {
  return deployments.filter(({ atMs }) => atMs >= frame.fromMs && atMs <= frame.toMs);
}

/** `rows` of text fit beside the axis. */
function valueAxisOf({ chart, thresholds }: ChartPicture, range: Range, unit: Unit, rows: number): Axis {
  const count = Math.max(1, Math.floor(rows / VALUE_TICKS_APART));
  return chart.metric === 'apdex' ? apdexAxis(count) : valueAxis(withThresholds(range, thresholds), unit, count);
}

/** Each series with what was worst of it. */
function legendItems({ chart, data }: ChartPicture, unit: Unit, look: Look, scale: number): LegendItem[] {
  const colours = PALETTES[look.theme].series.length;
  return data.series.map(({ label, points }, index) => ({
    label: cleaned(label) || '(empty)',
    value: worstOf(points.map(({ value }) => value).filter(Number.isFinite), chart.metric === 'apdex', unit),
    colour: seriesColour(label, index, chart.groupBy, look.theme),
    dash: chart.chartType === 'line' ? dashOf(index, colours, scale) : [],
  }));
}

function worstOf(values: readonly number[], leastIsWorst: boolean, unit: Unit): string {
  if (values.length === 0) return '';
  const worst = values.reduce((a, b) => (leastIsWorst === b < a ? b : a));
  return `${leastIsWorst ? 'min' : 'max'} ${told(worst, unit)}`;
}
