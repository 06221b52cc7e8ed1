import { type ChartLayout, legendRowHeight } from './chart-layout.js';
import { textWidth, truncateMiddle } from './chart-text.js';
import { OTHER_GROUPS_LABEL } from '../diagnostics/chart-series/chart-series.js';
import type { Chart, Plugin } from 'chart.js';
import type { ChartType } from '../diagnostics/chart-model.js';
import type { Palette } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-text.js';

/** Legend entry of one series. */
export interface LegendItem {
  readonly label: string;
  /** Such as `max 412 ms`. */
  readonly value: string;
  readonly colour: string;
  readonly dash: readonly number[];
}

export interface PlacedLegendItem extends LegendItem {
  readonly x: number;
  /** Vertical centre of the row. */
  readonly y: number;
}

/** Positions of all legend entries; entries that do not fit are counted in `more`. */
export interface Legend {
  readonly items: readonly PlacedLegendItem[];
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly height: number;
}

/** In multiples of the text size. */
const SWATCH = 1;

const GAP = 0.5;
const COLUMN_GAP = 1.6;

/** Minimum width of an entry, even if others then do not fit. */
const MIN_ITEM_WIDTH = 14;

const MAX_ITEM_WIDTH = 30;
export const swatchWidth = (textSize: number): number => SWATCH * textSize;
export const labelOffset = (textSize: number): number => (SWATCH + GAP) * textSize;
export const valueGap = (textSize: number): number => GAP * textSize;

interface LegendTable {
  readonly items: readonly LegendItem[];
  /** Left edges of the columns, in pixels. */
  readonly xs: readonly number[];
  /** Maximum width of an entry, in pixels. */
  readonly maxItemWidth: number;
}

/** Lays out the legend as a table with as few rows as possible. Labels are only truncated if the rows are used up. */
export function computeLegend(items: readonly LegendItem[], layout: ChartLayout): Legend {
  if (items.length === 0 || layout.legendRows === 0) return { items: [], more: undefined, height: 0 };
  const { textSize, padding, legendRows } = layout;
  const table = fitTable(items, layout);
  const columns = table.xs.length;
  const visibleItems =
    items.length <= columns * legendRows ? table.items : table.items.slice(0, columns * legendRows - 1);
  const rowHeight = legendRowHeight(textSize);
  const rows = Math.min(legendRows, Math.ceil(items.length / columns));
  const top = layout.height - padding - rows * rowHeight;
  const place = (index: number) => ({
    x: table.xs[index % columns],
    y: top + (Math.floor(index / columns) + 0.5) * rowHeight,
  });
  const more =
    visibleItems.length < items.length
      ? { text: `+${items.length - visibleItems.length} more`, ...place(visibleItems.length) }
      : undefined;
  return {
    items: visibleItems.map((item, index) => ({
      ...truncateLabel(item, table.maxItemWidth, textSize),
      ...place(index),
    })),
    more,
    height: rows * rowHeight + Math.round(textSize / 2),
  };
}

/**
 * Tries full labels with values, then labels without values, then without their common prefix, then increasingly
 * truncated labels.
 */
function fitTable(items: readonly LegendItem[], layout: ChartLayout): LegendTable {
  const plain = items.map((item) => ({ ...item, value: '' }));
  const labels = stripCommonPrefix(items.map(({ label }) => label));
  const shortened = plain.map((item, index) => ({ ...item, label: labels[index] }));
  const candidates = [
    layOutTable(items, MAX_ITEM_WIDTH, layout),
    layOutTable(plain, MAX_ITEM_WIDTH, layout),
    ...[MAX_ITEM_WIDTH, (MAX_ITEM_WIDTH + MIN_ITEM_WIDTH) / 2, MIN_ITEM_WIDTH].map((maxItemWidth) =>
      layOutTable(shortened, maxItemWidth, layout),
    ),
  ];
  return candidates.find(({ xs }) => xs.length * layout.legendRows >= items.length) ?? candidates.at(-1)!;
}

/**
 * Uses the largest number of columns that fits, or fewer if that needs no more rows: five entries become three and
 * two, not four and one.
 */
function layOutTable(
  items: readonly LegendItem[],
  maxItemWidth: number,
  { width, padding, textSize, legendRows }: ChartLayout,
): LegendTable {
  const availableWidth = width - 2 * padding;
  const limit = Math.min(maxItemWidth * textSize, availableWidth);
  const between = COLUMN_GAP * textSize;
  const widths = items.map((item) => Math.min(limit, naturalWidth(item, textSize)));
  const fits = (columns: number): boolean =>
    columnEnds(widths, columns, between)[columns - 1] - between <= availableWidth;
  const maxColumns = items.findLastIndex((_item, index) => index === 0 || fits(index + 1)) + 1;
  const rows = Math.ceil(items.length / maxColumns);
  const balancedColumns = Math.ceil(items.length / rows);
  const columns = rows <= legendRows && fits(balancedColumns) ? balancedColumns : maxColumns;
  return {
    items,
    xs: [0, ...columnEnds(widths, columns, between).slice(0, -1)].map((x) => padding + x),
    maxItemWidth: limit,
  };
}

/** Right ends of the columns, each as wide as its widest entry plus the space behind it. */
function columnEnds(widths: readonly number[], columns: number, between: number): number[] {
  let end = 0;
  return Array.from(
    { length: columns },
    (_, column) => (end += between + Math.max(...widths.filter((_width, index) => index % columns === column))),
  );
}

function naturalWidth({ label, value }: LegendItem, textSize: number): number {
  return labelOffset(textSize) + textWidth(label, textSize) + valueWidth(value, textSize);
}

function valueWidth(value: string, textSize: number): number {
  return value === '' ? 0 : valueGap(textSize) + textWidth(value, textSize);
}

function truncateLabel(item: LegendItem, maxItemWidth: number, textSize: number): LegendItem {
  return {
    ...item,
    label: truncateMiddle(
      item.label,
      maxItemWidth - labelOffset(textSize) - valueWidth(item.value, textSize),
      textSize,
    ),
  };
}

/** Shorter prefixes are not worth replacing by an ellipsis. */
const MIN_PREFIX_LENGTH = 4;

/** The last separator of a path or name; otherwise the last word boundary, for instance names. */
const SEPARATORS = [/[\s/.:][^\s/.:]*$/, /[^\p{L}\p{N}][\p{L}\p{N}]*$/u];

/**
 * Replaces the common prefix of the labels by an ellipsis, such as `…/orders/{id}` for `GET /api/v1/orders/{id}`, so
 * that the differing part stays visible.
 */
export function stripCommonPrefix(labels: readonly string[]): string[] {
  const named = labels.filter((label) => label !== OTHER_GROUPS_LABEL);
  const start = named.length < 2 ? '' : named.reduce(commonPrefix);
  const end = SEPARATORS.map((separator) => start.search(separator)).find((at) => at >= MIN_PREFIX_LENGTH);
  return end === undefined
    ? [...labels]
    : labels.map((label) => (label === OTHER_GROUPS_LABEL ? label : `…${label.slice(end)}`));
}

function commonPrefix(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return one.slice(0, end);
}

/** Lines are shown as lines, filled series as blocks. */
const LINE_THICKNESS = 3;

/** In multiples of the text size. */
const BLOCK_THICKNESS = 0.8;

/** Draws the legend below the chart. The legend of chart.js would take as much space as its labels need. */
export function legendPlugin(
  { items, more }: Legend,
  chartType: ChartType,
  { textSize, scale }: ChartLayout,
  palette: Palette,
): Plugin {
  const thickness = chartType === 'line' ? LINE_THICKNESS * scale : BLOCK_THICKNESS * textSize;
  return {
    id: 'series',
    afterDraw: (chart) =>
      withSavedState(chart, (context) => {
        for (const item of items) drawLegendItem(chart, context, item, textSize, thickness, palette);
        if (more !== undefined) drawText(chart, more.text, more.x, more.y, { size: textSize, colour: palette.text });
      }),
  };
}

function drawLegendItem(
  chart: Chart,
  context: CanvasContext,
  { label, value, colour, dash, x, y }: PlacedLegendItem,
  size: number,
  thickness: number,
  palette: Palette,
): void {
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.setLineDash([...dash]);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + swatchWidth(size), y);
  context.stroke();
  drawText(chart, label, x + labelOffset(size), y, { size, colour: palette.title });
  drawText(chart, value, x + labelOffset(size) + context.measureText(label).width + valueGap(size), y, {
    size,
    colour: palette.text,
  });
}
