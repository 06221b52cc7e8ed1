import { withoutCommonStart } from './common-start.js';
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
  readonly items: readonly LegendItem[];
  /** Left edges of columns. */
  readonly xs: readonly number[];
  /** What an item may take at most. */
  readonly widest: number;
}

/** A table, as few rows as there can be; labels are cut only where rows run out. */
export function legendOf(items: readonly LegendItem[], layout: Layout): Legend {
  if (items.length === 0 || layout.legendRows === 0) return { items: [], more: undefined, height: 0 };
  const { textSize, padding, legendRows } = layout;
  const table = tableFor(items, layout);
  const columns = table.xs.length;
  const shown = items.length <= columns * legendRows ? table.items : table.items.slice(0, columns * legendRows - 1);
  const rowHeight = legendRowHeight(textSize);
  const rows = Math.min(legendRows, Math.ceil(items.length / columns));
  const top = layout.height - padding - rows * rowHeight;
  const place = (index: number) => ({ x: table.xs[index % columns], y: top + (Math.floor(index / columns) + 0.5) * rowHeight });
  const more = shown.length < items.length ? { text: `+${items.length - shown.length} more`, ...place(shown.length) } : undefined;
  return { items: shown.map((item, index) => ({ ...fitted(item, table.widest, textSize), ...place(index) })), more, height: rows * rowHeight + Math.round(textSize / 2) };
}

/** Tries whole labels with their values, then without, then without what all labels begin with, then cut shorter and shorter. */
function tableFor(items: readonly LegendItem[], layout: Layout): Table {
  const plain = items.map((item) => ({ ...item, value: '' }));
  const labels = withoutCommonStart(items.map(({ label }) => label));
  const short = plain.map((item, index) => ({ ...item, label: labels[index] }));
  const tries = [tableOf(items, WIDEST, layout), tableOf(plain, WIDEST, layout), ...[WIDEST, (WIDEST + NARROWEST) / 2, NARROWEST].map((widest) => tableOf(short, widest, layout))];
  return tries.find(({ xs }) => xs.length * layout.legendRows >= items.length) ?? tries.at(-1)!;
}

/** The most columns that fit, or fewer where they make no more rows: five items are three and two, not four and one. */
function tableOf(items: readonly LegendItem[], widest: number, { width, padding, textSize, legendRows }: Layout): Table {
  const room = width - 2 * padding;
  const limit = Math.min(widest * textSize, room);
  const between = BETWEEN_COLUMNS * textSize;
  const widths = items.map((item) => Math.min(limit, naturalWidth(item, textSize)));
  const fits = (columns: number): boolean => columnEnds(widths, columns, between)[columns - 1] - between <= room;
  const most = items.findLastIndex((_item, index) => index === 0 || fits(index + 1)) + 1;
  const rows = Math.ceil(items.length / most);
  const even = Math.ceil(items.length / rows);
  const columns = rows <= legendRows && fits(even) ? even : most;
  return { items, xs: [0, ...columnEnds(widths, columns, between).slice(0, -1)].map((x) => padding + x), widest: limit };
}

/** Where columns end, each as wide as its widest item, with the space behind it. */
function columnEnds(widths: readonly number[], columns: number, between: number): number[] {
  let end = 0;
  return Array.from({ length: columns }, (_, column) => (end += between + Math.max(...widths.filter((_width, index) => index % columns === column))));
}

function naturalWidth({ label, value }: LegendItem, textSize: number): number {
  return labelOffset(textSize) + textWidth(label, textSize) + valueWidth(value, textSize);
}

function valueWidth(value: string, textSize: number): number {
  return value === '' ? 0 : valueGap(textSize) + textWidth(value, textSize);
}

function fitted(item: LegendItem, widest: number, textSize: number): LegendItem {
  return { ...item, label: cutMiddle(item.label, widest - labelOffset(textSize) - valueWidth(item.value, textSize), textSize) };
}
