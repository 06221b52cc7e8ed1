import { legendRowHeight, type Layout } from './layout.js';
import { cutMiddle, textWidth } from './text.js';

/** What stands for one series below the chart. */
export interface LegendItem {
  readonly label: string;
  /** Such as `max 412 ms`. */
  readonly value: string;
  readonly colour: string;
  readonly dash: readonly number[];
}

export interface PlacedItem extends LegendItem {
  readonly x: number;
  /** Middle of the row. */
  readonly y: number;
}

/** Where everything stands; what found no room is counted. */
export interface Legend {
  readonly items: readonly PlacedItem[];
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly height: number;
}

/** In multiples of the size of the text. */
const SWATCH = 1;
const GAP = 0.5;
const BETWEEN_COLUMNS = 1.6;
/** So much of a label is kept, though others then stand for the rest. */
const NARROWEST = 14;
const WIDEST = 30;

export const swatchWidth = (textSize: number): number => SWATCH * textSize;
export const labelOffset = (textSize: number): number => (SWATCH + GAP) * textSize;
export const valueGap = (textSize: number): number => GAP * textSize;

interface Table {
  /** Left edges of columns. */
  readonly xs: readonly number[];
  /** What an item may take at most. */
  readonly widest: number;
  readonly values: boolean;
}

/** A table, as few rows as there can be; labels are cut only where rows run out. */
export function legendOf(items: readonly LegendItem[], layout: Layout): Legend {
  if (items.length === 0 || layout.legendRows === 0) return { items: [], more: undefined, height: 0 };
  const { textSize, padding, legendRows } = layout;
  const table = tableFor(items, layout);
  const columns = table.xs.length;
  const shown = items.length <= columns * legendRows ? items : items.slice(0, columns * legendRows - 1);
  const rowHeight = legendRowHeight(textSize);
  const rows = Math.min(legendRows, Math.ceil(items.length / columns));
  const top = layout.height - padding - rows * rowHeight;
  const place = (index: number) => ({ x: table.xs[index % columns], y: top + (Math.floor(index / columns) + 0.5) * rowHeight });
  const more = shown.length < items.length ? { text: `+${items.length - shown.length} more`, ...place(shown.length) } : undefined;
  return { items: shown.map((item, index) => ({ ...fitted(item, table, textSize), ...place(index) })), more, height: rows * rowHeight + Math.round(textSize / 2) };
}

/** Tries whole labels with their values, then without, then cut shorter and shorter. */
function tableFor(items: readonly LegendItem[], layout: Layout): Table {
  const tries = [tableOf(items, WIDEST, true, layout), ...[WIDEST, (WIDEST + NARROWEST) / 2, NARROWEST].map((widest) => tableOf(items, widest, false, layout))];
  return tries.find(({ xs }) => xs.length * layout.legendRows >= items.length) ?? tries.at(-1)!;
}

/** The most columns that fit. */
function tableOf(items: readonly LegendItem[], widest: number, values: boolean, { width, padding, textSize }: Layout): Table {
  const room = width - 2 * padding;
  const limit = Math.min(widest * textSize, room);
  const widths = items.map((item) => Math.min(limit, naturalWidth(item, values, textSize)));
  for (let columns = items.length; columns > 1; columns--) {
    const ends = columnEnds(widths, columns, BETWEEN_COLUMNS * textSize);
    if (ends[columns - 1] - BETWEEN_COLUMNS * textSize <= room) return { xs: [0, ...ends.slice(0, -1)].map((x) => padding + x), widest: limit, values };
  }
  return { xs: [padding], widest: limit, values };
}

/** Where columns end, each as wide as its widest item, with the space behind it. */
function columnEnds(widths: readonly number[], columns: number, between: number): number[] {
  let end = 0;
  return Array.from({ length: columns }, (_, column) => (end += between + Math.max(...widths.filter((_width, index) => index % columns === column))));
}

function naturalWidth({ label, value }: LegendItem, values: boolean, textSize: number): number {
  return labelOffset(textSize) + textWidth(label, textSize) + (values ? valueWidth(value, textSize) : 0);
}

function valueWidth(value: string, textSize: number): number {
  return value === '' ? 0 : valueGap(textSize) + textWidth(value, textSize);
}

function fitted(item: LegendItem, { widest, values }: Table, textSize: number): LegendItem {
  const value = values ? item.value : '';
  return { ...item, value, label: cutMiddle(item.label, widest - labelOffset(textSize) - valueWidth(value, textSize), textSize) };
}
