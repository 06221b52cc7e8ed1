import { type ChartLayout, legendRowHeight } from './chart-layout.js';
import { textWidth, truncateMiddle } from './chart-text.js';
import { OTHER_GROUPS_LABEL } from '../diagnostics/chart-series/chart-series.js';
import type { Chart, Plugin } from 'chart.js';
import type { ChartType } from '../diagnostics/chart-model.js';
import type { Palette } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-drawing.js';

/** What stands for one series below the chart. */
export interface LegendItem {
  readonly label: string;
  /** Such as `max 412 ms`. */
  readonly value: string;
  readonly colour: string;
  readonly dash: readonly number[];
}

export interface PlacedLegendItem extends LegendItem {
  readonly x: number;
  /** Middle of the row. */
  readonly y: number;
}

/** Where everything stands; what found no room is counted. */
export interface Legend {
  readonly items: readonly PlacedLegendItem[];
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly height: number;
}

/** In multiples of the size of the text. */
const SWATCH = 1;

const GAP = 0.5;
const COLUMN_GAP = 1.6;

/** So much of a label is kept, though others then stand for the rest. */
const MIN_ITEM_WIDTH = 14;

const MAX_ITEM_WIDTH = 30;
export const swatchWidth = (textSize: number): number => SWATCH * textSize;
export const labelOffset = (textSize: number): number => (SWATCH + GAP) * textSize;
export const valueGap = (textSize: number): number => GAP * textSize;

interface LegendTable {
  readonly items: readonly LegendItem[];
  /** Left edges of columns. */
  readonly xs: readonly number[];
  /** What an item may take at most. */
  readonly widest: number;
}

/** A table, as few rows as there can be; labels are cut only where rows run out. */
export function computeLegend(items: readonly LegendItem[], layout: ChartLayout): Legend {
  if (items.length === 0 || layout.legendRows === 0) return { items: [], more: undefined, height: 0 };
  const { textSize, padding, legendRows } = layout;
  const table = fitTable(items, layout);
  const columns = table.xs.length;
  const shown = items.length <= columns * legendRows ? table.items : table.items.slice(0, columns * legendRows - 1);
  const rowHeight = legendRowHeight(textSize);
  const rows = Math.min(legendRows, Math.ceil(items.length / columns));
  const top = layout.height - padding - rows * rowHeight;
  const place = (index: number) => ({
    x: table.xs[index % columns],
    y: top + (Math.floor(index / columns) + 0.5) * rowHeight,
  });
  const more =
    shown.length < items.length ? { text: `+${items.length - shown.length} more`, ...place(shown.length) } : undefined;
  return {
    items: shown.map((item, index) => ({ ...truncateLabel(item, table.widest, textSize), ...place(index) })),
    more,
    height: rows * rowHeight + Math.round(textSize / 2),
  };
}

/** Tries whole labels with their values, then without, then without what all labels begin with, then cut shorter and shorter. */
function fitTable(items: readonly LegendItem[], layout: ChartLayout): LegendTable {
  const plain = items.map((item) => ({ ...item, value: '' }));
  const labels = stripCommonPrefix(items.map(({ label }) => label));
  const short = plain.map((item, index) => ({ ...item, label: labels[index] }));
  const tries = [
    layOutTable(items, MAX_ITEM_WIDTH, layout),
    layOutTable(plain, MAX_ITEM_WIDTH, layout),
    ...[MAX_ITEM_WIDTH, (MAX_ITEM_WIDTH + MIN_ITEM_WIDTH) / 2, MIN_ITEM_WIDTH].map((widest) =>
      layOutTable(short, widest, layout),
    ),
  ];
  return tries.find(({ xs }) => xs.length * layout.legendRows >= items.length) ?? tries.at(-1)!;
}

/** The most columns that fit, or fewer where they make no more rows: five items are three and two, not four and one. */
function layOutTable(
  items: readonly LegendItem[],
  widest: number,
  { width, padding, textSize, legendRows }: ChartLayout,
): LegendTable {
  const room = width - 2 * padding;
  const limit = Math.min(widest * textSize, room);
  const between = COLUMN_GAP * textSize;
  const widths = items.map((item) => Math.min(limit, naturalWidth(item, textSize)));
  const fits = (columns: number): boolean => columnEnds(widths, columns, between)[columns - 1] - between <= room;
  const most = items.findLastIndex((_item, index) => index === 0 || fits(index + 1)) + 1;
  const rows = Math.ceil(items.length / most);
  const even = Math.ceil(items.length / rows);
  const columns = rows <= legendRows && fits(even) ? even : most;
  return {
    items,
    xs: [0, ...columnEnds(widths, columns, between).slice(0, -1)].map((x) => padding + x),
    widest: limit,
  };
}

/** Where columns end, each as wide as its widest item, with the space behind it. */
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

function truncateLabel(item: LegendItem, widest: number, textSize: number): LegendItem {
  return {
    ...item,
    label: truncateMiddle(item.label, widest - labelOffset(textSize) - valueWidth(item.value, textSize), textSize),
  };
}

/** Less is not worth a mark of what was left out. */
const MIN_PREFIX_LENGTH = 4;

/** The last separator of paths and names; else, in names of instances, of words. */
const SEPARATORS = [/[\s/.:][^\s/.:]*$/, /[^\p{L}\p{N}][\p{L}\p{N}]*$/u];

/** Labels without the words that all of them begin with, `…/orders/{id}` for `GET /api/v1/orders/{id}`: what differs is what tells. */
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

/** A line for lines, a block for what is filled. */
const LINE_THICKNESS = 3;

/** In multiples of the size of the text. */
const BLOCK_THICKNESS = 0.8;

/** The table below the chart. chart.js' own legend would take as much of the picture as its labels ask for. */
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
      withSavedState(chart, (pen) => {
        for (const item of items) drawLegendItem(chart, pen, item, textSize, thickness, palette);
        if (more !== undefined) drawText(chart, more.text, more.x, more.y, { size: textSize, colour: palette.text });
      }),
  };
}

function drawLegendItem(
  chart: Chart,
  pen: CanvasContext,
  { label, value, colour, dash, x, y }: PlacedLegendItem,
  size: number,
  thickness: number,
  palette: Palette,
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + swatchWidth(size), y);
  pen.stroke();
  drawText(chart, label, x + labelOffset(size), y, { size, colour: palette.title });
  drawText(chart, value, x + labelOffset(size) + pen.measureText(label).width + valueGap(size), y, {
    size,
    colour: palette.text,
  });
}
