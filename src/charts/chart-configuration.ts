import { isOverWholeRange } from '../diagnostics/chart-model.js';
import type { ChartConfiguration, ChartOptions, Plugin, Scale, ScriptableScaleContext } from 'chart.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import type { ChartRenderOptions } from './render-options.js';
import { type ChartPlan, planChart } from './chart-plan.js';
import { deploymentPlugin } from './deployment-markers.js';
import { headingPlugin } from './chart-heading.js';
import { figuresPlugin, planFigures } from './figure-chart.js';
import { heatmapPlugin, planHeatmap } from './heatmap-chart.js';
import { planTable, tablePlugin } from './table-chart.js';
import { legendPlugin } from './chart-legend.js';
import { thresholdPlugin } from './chart-thresholds.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, textWidth, wrapText } from './chart-text.js';
import type { ChartLayout } from './chart-layout.js';
import type { Palette } from './colour-palette.js';
import type { Axis } from './value-axis.js';
import { drawText, withSavedState } from './canvas-text.js';

/**
 * The chart.js configuration of a picture, including the background. One pixel of the options is one pixel of the
 * canvas, regardless of `devicePixelRatio`. Text uses `defaults.font.family`, which the renderer sets.
 */
export function buildChartConfiguration(picture: ChartRenderInput, options: ChartRenderOptions): ChartConfiguration {
  const { chartType } = picture.chart;
  if (isOverWholeRange(chartType)) return buildFiguresConfiguration(picture, options);
  return chartType === 'heatmap'
    ? buildHeatmapConfiguration(picture, options)
    : buildSeriesConfiguration(picture, options);
}

/** Lines, bars or areas over time. */
function buildSeriesConfiguration(picture: ChartRenderInput, options: ChartRenderOptions): ChartConfiguration {
  const plan = planChart(picture, options);
  const { layout, palette, datasets, isEmpty, time, values, top, bottom } = plan;
  const { chart, data } = picture;
  const isStacked = chart.chartType === 'bar' && data.additive;
  return {
    type: chart.chartType === 'bar' ? 'bar' : 'line',
    data: { datasets },
    options: {
      ...STATIC_OPTIONS,
      parsing: false,
      normalized: true,
      layout: { padding: { top, bottom, left: layout.padding, right: layout.padding } },
      plugins: { filler: { propagate: false } },
      scales: {
        x: buildTimeScale(time, isStacked, layout, palette),
        y: { ...buildValueScale(values, isStacked, layout, palette), display: !isEmpty },
      },
    },
    plugins: buildPlugins(picture, plan),
  };
}

/** A picture: nothing moves, and nobody points at it. */
const STATIC_OPTIONS: ChartOptions = { responsive: false, animation: false, devicePixelRatio: 1, events: [] };

/** One figure for each series, without axes. */
function buildFiguresConfiguration(picture: ChartRenderInput, options: ChartRenderOptions): ChartConfiguration {
  const [plan, body] =
    picture.chart.chartType === 'table'
      ? withBody(planTable(picture, options), tablePlugin)
      : withBody(planFigures(picture, options), figuresPlugin);
  const { layout, palette, heading } = plan;
  const { padding, textSize } = layout;
  return {
    type: 'line',
    data: { datasets: [] },
    options: {
      ...STATIC_OPTIONS,
      layout: {
        padding: { top: padding + heading.height + textSize / 2, bottom: padding, left: padding, right: padding },
      },
      scales: { x: { display: false }, y: { display: false } },
    },
    plugins: [
      backgroundPlugin(palette.background),
      headingPlugin(heading, '', layout, palette),
      plan.rows.length === 0 ? emptyChartPlugin(picture.data.hint ?? '', layout, palette) : body,
    ],
  };
}

function withBody<Plan>(plan: Plan, create: (plan: Plan) => Plugin): readonly [Plan, Plugin] {
  return [plan, create(plan)];
}

/** Counts by duration and time. */
function buildHeatmapConfiguration(picture: ChartRenderInput, options: ChartRenderOptions): ChartConfiguration {
  const plan = planHeatmap(picture, options);
  const { layout, palette, heading, time, durations } = plan;
  const { padding, textSize } = layout;
  const isEmpty = plan.cells.length === 0;
  const body = isEmpty ? emptyChartPlugin(picture.data.hint ?? '', layout, palette) : heatmapPlugin(plan);
  return {
    type: 'line',
    data: { datasets: [] },
    options: {
      ...STATIC_OPTIONS,
      layout: { padding: { top: padding + heading.height + textSize, bottom: padding, left: padding, right: padding } },
      scales: {
        x: buildTimeScale(time, false, layout, palette),
        y: { ...buildValueScale(durations, false, layout, palette), display: !isEmpty, grid: { display: false } },
      },
    },
    plugins: [backgroundPlugin(palette.background), headingPlugin(heading, '', layout, palette), body],
  };
}

function buildPlugins(
  { chart, data, thresholds }: ChartRenderInput,
  { layout, palette, heading, caption, legend, deployments, isEmpty }: ChartPlan,
): Plugin[] {
  const { padding, textSize } = layout;
  const captionEnd = caption === '' ? 0 : padding + textWidth(caption, textSize) + textSize;
  return [
    backgroundPlugin(palette.background),
    headingPlugin(heading, caption, layout, palette),
    legendPlugin(legend, chart.chartType, layout, palette),
    deploymentPlugin(deployments, captionEnd, layout, palette),
    isEmpty ? emptyChartPlugin(data.hint ?? '', layout, palette) : thresholdPlugin(thresholds, layout, palette),
  ];
}

type ScaleOptions = NonNullable<NonNullable<ChartOptions<'line' | 'bar'>['scales']>[string]>;

/** Time axis at the bottom: round ticks, without grid lines, because vertical lines mark deployments. */
function buildTimeScale(axis: Axis, stacked: boolean, layout: ChartLayout, palette: Palette): ScaleOptions {
  const { textSize, showsTicks } = layout;
  return {
    ...commonScaleOptions(axis, layout, palette),
    position: 'bottom',
    // For bars, chart.js would add half a step on either side.
    offset: false,
    stacked,
    grid: {
      offset: false,
      drawOnChartArea: false,
      drawTicks: showsTicks,
      tickLength: textSize * 0.35,
      tickColor: palette.axis,
    },
    // Behind the series, so that a line of zeros stays visible.
    border: { display: true, color: palette.axis, width: layout.scale, z: -1 },
  };
}

/** Value axis on the left, with a grid line for each tick. */
function buildValueScale(axis: Axis, stacked: boolean, layout: ChartLayout, palette: Palette): ScaleOptions {
  return {
    ...commonScaleOptions(axis, layout, palette),
    position: 'left',
    stacked,
    grid: {
      color: ({ tick }: ScriptableScaleContext) => (tick.major ? palette.axis : palette.grid),
      lineWidth: layout.scale,
      drawTicks: false,
    },
    border: { display: false },
  };
}

function commonScaleOptions({ min, max, ticks }: Axis, { textSize, showsTicks }: ChartLayout, palette: Palette) {
  return {
    type: 'linear' as const,
    min,
    max,
    afterBuildTicks: (scale: Scale) => {
      scale.ticks = ticks.map(({ value, strong }) => ({ value, major: strong }));
    },
    ticks: {
      display: showsTicks,
      autoSkip: false,
      maxRotation: 0,
      padding: textSize * 0.5,
      color: palette.text,
      font: { size: textSize },
      callback: (_value: unknown, index: number) => ticks[index]?.label ?? '',
    },
  };
}

/** Fills the background, which chart.js leaves transparent: a dark chart on a light page would be unreadable. */
function backgroundPlugin(colour: string): Plugin {
  return {
    id: 'backdrop',
    beforeDraw: (chart) =>
      withSavedState(chart, (context) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, chart.width, chart.height);
      }),
  };
}

const EMPTY_TITLE = 'No data';
const MAX_LINES = 4;
const LINE_HEIGHT = 1.45;

/**
 * Shows "No data" in the middle of the chart, and the hint if there is one, so that an empty chart does not look
 * broken.
 */
function emptyChartPlugin(hint: string, layout: ChartLayout, palette: Palette): Plugin {
  return {
    id: 'empty',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (context) => {
        const { left, right, top, bottom } = chart.chartArea;
        const { textSize, titleSize } = layout;
        const availableWidth = (right - left) * 0.9;
        const maxLines = Math.min(MAX_LINES, Math.floor((bottom - top - titleSize * 2) / (textSize * LINE_HEIGHT)));
        const lines =
          hint === '' || maxLines < 1 ? [] : wrapText(sanitizeText(hint), availableWidth, textSize, maxLines);
        const middle = (left + right) / 2;
        const first = (top + bottom) / 2 - (lines.length * textSize * LINE_HEIGHT) / 2;
        // Cover deployment lines behind the text.
        const widest = Math.max(
          textWidth(EMPTY_TITLE, titleSize) * BOLD_WIDTH_FACTOR,
          ...lines.map((line) => textWidth(line, textSize)),
        );
        context.fillStyle = palette.background;
        context.fillRect(
          middle - widest / 2 - textSize / 2,
          first - titleSize,
          widest + textSize,
          titleSize * 2 + lines.length * textSize * LINE_HEIGHT,
        );
        drawText(
          chart,
          EMPTY_TITLE,
          middle,
          first,
          { size: titleSize, colour: palette.title, align: 'center' },
          availableWidth,
        );
        lines.forEach((line, index) => {
          drawText(
            chart,
            line,
            middle,
            first + titleSize * 1.1 + (index + 0.3) * textSize * LINE_HEIGHT,
            { size: textSize, colour: palette.text, align: 'center' },
            availableWidth,
          );
        });
      }),
  };
}
