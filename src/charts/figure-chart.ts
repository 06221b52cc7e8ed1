import type { Plugin } from 'chart.js';
import type { ChartType } from '../diagnostics/chart-model.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-text.js';
import { computeHeading, type Heading } from './chart-heading.js';
import { type ChartLayout, computeChartLayout } from './chart-layout.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, textWidth, truncateEnd, truncateMiddle } from './chart-text.js';
import { colourIndex, type Palette, PALETTES, seriesColour, withOpacity } from './colour-palette.js';
import type { ChartRenderOptions } from './render-options.js';
import { formatValue, parseUnit } from './value-units.js';

/** One figure of the chart. */
export interface FigureRow {
  /** "" if the chart's title says it all. */
  readonly label: string;
  /** Value with unit. */
  readonly value: string;
  /** Length of the bar relative to the longest one, 0 to 1; 0 for negative values. */
  readonly share: number;
  readonly colour: string;
}

/** Everything that is decided before a `value` or `top_list` is drawn. */
export interface FiguresPlan {
  readonly chartType: ChartType;
  readonly layout: ChartLayout;
  readonly palette: Palette;
  readonly heading: Heading;
  /** In the order of the series; those without a value are left out. */
  readonly rows: readonly FigureRow[];
}

/** Pure. */
export function planFigures(picture: ChartRenderInput, options: ChartRenderOptions): FiguresPlan {
  const { chart, data } = picture;
  const layout = computeChartLayout(options);
  const unit = parseUnit(sanitizeText(data.unit));
  const known = data.series.flatMap(({ label, points }, index) => {
    const value = points.at(0)?.value;
    return value === undefined || !Number.isFinite(value) ? [] : [{ label, index, value }];
  });
  const longest = Math.max(0, ...known.map(({ value }) => value));
  const isAlone = known.length === 1 && chart.chartType === 'value';
  return {
    chartType: chart.chartType,
    layout,
    palette: PALETTES[options.theme],
    heading: computeHeading(picture, layout, '', options.panel),
    rows: known.map(({ label, index, value }) => ({
      label: isAlone ? '' : sanitizeText(label) || '(empty)',
      value: formatValue(value, unit),
      share: longest > 0 ? Math.max(0, value / longest) : 0,
      colour: seriesColour(label, colourIndex(label, index, options), chart.groupBy, options.theme),
    })),
  };
}

export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export type DrawLabel = (
  text: string,
  x: number,
  y: number,
  style: Parameters<typeof drawText>[4],
  maxWidth?: number,
) => void;

/** Draws the figures below the heading. */
export function figuresPlugin(plan: FiguresPlan): Plugin {
  return {
    id: 'figures',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (context) => {
        const label: DrawLabel = (text, x, y, style, maxWidth) => drawText(chart, text, x, y, style, maxWidth);
        if (plan.chartType === 'value') drawFigures(plan, chart.chartArea, label);
        else drawRows(plan, chart.chartArea, context, label);
      }),
  };
}

/** In multiples of the text size. */
const LARGEST_FIGURE = 5;
const FIGURE_GAP = 1;
export const ROW_HEIGHT = 1.9;
const BAR_HEIGHT = 0.9;
const GAP = 0.8;
/** Share of the width that labels take at most. */
const LABEL_SHARE = 0.4;

/** Figures side by side, as large as fits, each with its label below; those that do not fit are counted. */
function drawFigures({ rows, layout, palette }: FiguresPlan, area: Area, draw: DrawLabel): void {
  const { left, right, top, bottom } = area;
  const { textSize } = layout;
  const gap = FIGURE_GAP * textSize;
  const widest = Math.max(...rows.map(({ value }) => textWidth(value, 1) * BOLD_WIDTH_FACTOR));
  const places = Math.max(1, Math.floor((right - left) / (widest * textSize + gap)));
  const shown = rows.slice(0, places);
  const cell = (right - left) / shown.length;
  const width = Math.max(1, cell - gap);
  const labelHeight = rows.some(({ label }) => label !== '') ? ROW_HEIGHT * textSize : 0;
  const size = Math.min(LARGEST_FIGURE * textSize, (bottom - top - labelHeight) * 0.8, width / widest);
  const middle = (top + bottom) / 2;
  shown.forEach(({ label, value }, index) => {
    const x = left + (index + 0.5) * cell;
    draw(value, x, middle - labelHeight / 2, { size, colour: palette.title, bold: true, align: 'center' }, width);
    const name = truncateMiddle(label, width, textSize);
    draw(name, x, middle + size / 2 + textSize * 0.3, { size: textSize, colour: palette.text, align: 'center' }, width);
  });
  if (shown.length === rows.length) return;
  const more = `${rows.length - shown.length} more`;
  draw(more, right, bottom - textSize / 2, { size: textSize, colour: palette.text, align: 'right' });
}

/** A line with a bar for each figure; what does not fit is counted in the last line. */
function drawRows(plan: FiguresPlan, area: Area, context: CanvasContext, draw: DrawLabel): void {
  const { rows, layout, palette } = plan;
  const { textSize } = layout;
  const height = Math.round(ROW_HEIGHT * textSize);
  const places = Math.max(1, Math.floor((area.bottom - area.top) / height));
  const shown = rows.length <= places ? rows : rows.slice(0, places - 1);
  const columns = computeColumns(shown, area, textSize);
  shown.forEach((row, index) => {
    const y = area.top + (index + 0.5) * height;
    const label = truncateMiddle(row.label, columns.labelWidth, textSize);
    draw(label, area.left, y, { size: textSize, colour: palette.title }, columns.labelWidth);
    draw(row.value, area.right, y, { size: textSize, colour: palette.title, align: 'right' });
    drawBar(context, row, y, columns, textSize);
  });
  if (shown.length === rows.length) return;
  const more = truncateEnd(`${rows.length - shown.length} more`, area.right - area.left, textSize);
  draw(more, area.left, area.top + (shown.length + 0.5) * height, { size: textSize, colour: palette.text });
}

interface Columns {
  readonly labelWidth: number;
  readonly barLeft: number;
  readonly barWidth: number;
}

function computeColumns(rows: readonly FigureRow[], { left, right }: Area, textSize: number): Columns {
  const valueWidth = Math.max(0, ...rows.map(({ value }) => textWidth(value, textSize)));
  const widestLabel = Math.max(0, ...rows.map(({ label }) => textWidth(label, textSize)));
  const labelWidth = Math.min(widestLabel, (right - left) * LABEL_SHARE);
  const barLeft = left + labelWidth + GAP * textSize;
  return { labelWidth, barLeft, barWidth: Math.max(0, right - valueWidth - GAP * textSize - barLeft) };
}

function drawBar(
  context: CanvasContext,
  { share, colour }: FigureRow,
  y: number,
  { barLeft, barWidth }: Columns,
  textSize: number,
): void {
  const height = BAR_HEIGHT * textSize;
  context.fillStyle = withOpacity(colour, 0.15);
  context.fillRect(barLeft, y - height / 2, barWidth, height);
  context.fillStyle = colour;
  context.fillRect(barLeft, y - height / 2, barWidth * share, height);
}
